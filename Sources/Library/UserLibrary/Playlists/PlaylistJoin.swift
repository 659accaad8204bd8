import LibraryIndex

/// Joins what two sides did to a playlist since both had the same: it has what either added, and not what either took
/// out. A pure value.
///
/// One side may have changed the order as well; what the other added goes beside its neighbours, or to the end where it
/// was added there.
struct PlaylistJoin {
    /// One of several equal songs, counted from the start.
    private struct Place: Hashable {
        var song: ExactText
        var occurrence: Int
    }

    private let entries: [PlaylistStore.Entry]
    /// nil for entries that the server can't have.
    private let ours: [Place?]
    private let theirSongs: [String]
    private let theirs: [Place]
    private let common: [Place: Int]
    private let inOurs: Set<Place>
    private let inTheirs: Set<Place>

    /// Compares our entries and the server's songs with those that both had.
    init(_ entries: [PlaylistStore.Entry], theirs songs: [String], common: [String]) {
        self.entries = entries
        theirSongs = songs
        var counts: [ExactText: Int] = [:]
        ours = entries.map { entry in entry.serverSong.map { Self.place($0, &counts) } }
        theirs = Self.places(songs)
        self.common = Dictionary(
            uniqueKeysWithValues: Self.places(common).enumerated().map { ($0.element, $0.offset) })
        inOurs = Set(ours.compactMap(\.self))
        inTheirs = Set(theirs)
    }

    /// The list of both; nil where both changed the order.
    ///
    /// - Parameter make: makes an entry of a song of the server's list.
    func joined(_ make: (String) throws -> PlaylistStore.Entry) rethrows -> [PlaylistStore.Entry]? {
        if isInOrder(ours.compactMap(\.self)) { return try theirOrder(make) }
        return isInOrder(theirs) ? try ourOrder(make) : nil
    }

    /// The server's list without what we took out, and what only we have beside its neighbours or at the end.
    private func theirOrder(
        _ make: (String) throws -> PlaylistStore.Entry
    ) rethrows -> [PlaylistStore.Entry] {
        let songs = zip(theirSongs, theirs).filter { common[$1] == nil || inOurs.contains($1) }.map(\.0)
        var left = entries.indices.filter { !isTakenOutThere($0) }
        var added: [PlaylistStore.Entry] = []
        while let last = left.last, let place = ours[last], !inTheirs.contains(place) {
            added.append(entries[last])
            left.removeLast()
        }
        let isOurs = left.map { index in ours[index].map { !inTheirs.contains($0) } ?? true }
        let placement = EntryPlacement(left.map { entries[$0] }, isOurs: isOurs)
        return try placement.merged(into: songs, make: make) + added.reversed()
    }

    /// Our list without what was taken out there, and what was added there behind its predecessor.
    private func ourOrder(_ make: (String) throws -> PlaylistStore.Entry) rethrows -> [PlaylistStore.Entry] {
        var added: [Place?: [PlaylistStore.Entry]] = [:]
        var predecessor: Place?
        for (song, place) in zip(theirSongs, theirs) {
            if inOurs.contains(place) {
                predecessor = place
            } else if common[place] == nil {
                added[predecessor, default: []].append(try make(song))
            }
        }
        var result = added[nil] ?? []
        for index in entries.indices where !isTakenOutThere(index) {
            result.append(entries[index])
            if let place = ours[index], let behind = added[place] { result += behind }
        }
        return result
    }

    /// Whether the server's list has an entry of ours no longer; songs whose files are missing are only hidden there.
    private func isTakenOutThere(_ index: Int) -> Bool {
        guard let place = ours[index], common[place] != nil, !inTheirs.contains(place) else { return false }
        return entries[index].item == nil || entries[index].isVisible
    }

    /// Whether those that both had are in the order of then.
    private func isInOrder(_ places: [Place]) -> Bool {
        var last = -1
        for place in places {
            guard let position = common[place] else { continue }
            if position < last { return false }
            last = position
        }
        return true
    }

    private static func places(_ songs: [String]) -> [Place] {
        var counts: [ExactText: Int] = [:]
        return songs.map { place($0, &counts) }
    }

    private static func place(_ song: String, _ counts: inout [ExactText: Int]) -> Place {
        let text = ExactText(song)
        defer { counts[text, default: 0] += 1 }
        return Place(song: text, occurrence: counts[text, default: 0])
    }
}
