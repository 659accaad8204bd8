import LibraryIndex

/// Joins what two sides did to a playlist since both had the same: it has what either added, and not what either took
/// out. What one added goes next to its neighbours, or to the end, where the other changed the order.
struct PlaylistJoin {
    private let entries: [PlaylistStore.Entry]
    private let ours: [SongOccurrence?]
    private let theirSongs: [String]
    private let theirs: [SongOccurrence]
    private let common: [SongOccurrence: Int]
    private let inOurs: Set<SongOccurrence>
    private let inTheirs: Set<SongOccurrence>

    init(_ entries: [PlaylistStore.Entry], theirs songs: [String], common: [String]) {
        self.entries = entries
        theirSongs = songs
        var occurrences = SongOccurrence.numbered(entries.compactMap(\.serverSong))[...]
        ours = entries.map { $0.serverSong == nil ? nil : occurrences.popFirst() }
        theirs = SongOccurrence.numbered(songs)
        self.common = Dictionary(
            uniqueKeysWithValues: SongOccurrence.numbered(common).enumerated().map { ($0.element, $0.offset) })
        inOurs = Set(ours.compactMap(\.self))
        inTheirs = Set(theirs)
    }

    /// The list of both; nil where both changed the order. `make` makes an entry of a song of the server's.
    func joined(_ make: (String) throws -> PlaylistStore.Entry) rethrows -> [PlaylistStore.Entry]? {
        if isInOrder(ours.compactMap(\.self)) { return try theirOrder(make) }
        return isInOrder(theirs) ? try ourOrder(make) : nil
    }

    /// The server's list without what we took out, and what only we have next to its neighbours or at the end.
    private func theirOrder(_ make: (String) throws -> PlaylistStore.Entry) rethrows -> [PlaylistStore.Entry] {
        let songs = zip(theirSongs, theirs).filter { common[$1] == nil || inOurs.contains($1) }.map(\.0)
        var left = entries.indices.filter { !isTakenOutThere($0) }
        var added: [PlaylistStore.Entry] = []
        while let last = left.last, let occurrence = ours[last], !inTheirs.contains(occurrence) {
            added.append(entries[last])
            left.removeLast()
        }
        let isOurs = left.map { index in ours[index].map { !inTheirs.contains($0) } ?? true }
        let placement = EntryPlacement(left.map { entries[$0] }, isOurs: isOurs)
        return try placement.merged(into: songs, make: make) + added.reversed()
    }

    /// Our list without what was taken out there, and what was added there behind its predecessor.
    private func ourOrder(_ make: (String) throws -> PlaylistStore.Entry) rethrows -> [PlaylistStore.Entry] {
        var added: [SongOccurrence?: [PlaylistStore.Entry]] = [:]
        var predecessor: SongOccurrence?
        for (song, occurrence) in zip(theirSongs, theirs) {
            if inOurs.contains(occurrence) {
                predecessor = occurrence
            } else if common[occurrence] == nil {
                added[predecessor, default: []].append(try make(song))
            }
        }
        var result = added[nil] ?? []
        for index in entries.indices where !isTakenOutThere(index) {
            result.append(entries[index])
            if let occurrence = ours[index], let behind = added[occurrence] { result += behind }
        }
        return result
    }

    /// True if the server's list has an entry of ours no longer; songs whose files are missing are only hidden there.
    private func isTakenOutThere(_ index: Int) -> Bool {
        guard let occurrence = ours[index], common[occurrence] != nil, !inTheirs.contains(occurrence) else {
            return false
        }
        return entries[index].item == nil || entries[index].isVisible
    }

    private func isInOrder(_ occurrences: [SongOccurrence]) -> Bool {
        var last = -1
        for occurrence in occurrences {
            guard let position = common[occurrence] else { continue }
            if position < last { return false }
            last = position
        }
        return true
    }
}

/// One of several equal songs of a list, counted from the start.
struct SongOccurrence: Hashable {
    private var song: ExactText
    private var number: Int

    static func numbered(_ songs: [String]) -> [SongOccurrence] {
        var counts: [ExactText: Int] = [:]
        return songs.map { song in
            let song = ExactText(song)
            defer { counts[song, default: 0] += 1 }
            return SongOccurrence(song: song, number: counts[song, default: 0])
        }
    }
}
