/// Puts the entries that only we have back into a list that changed elsewhere: each next to the nearest entry that both
/// lists have, rather the one before; equal ones are told apart by counting from the start.
struct EntryPlacement {
    private let entries: [PlaylistStore.Entry]
    private let isOurs: [Bool]

    init(_ entries: [PlaylistStore.Entry], isOurs: [Bool]) { (self.entries, self.isOurs) = (entries, isOurs) }

    /// The other list with our entries in it; `make` makes an entry of a song of it.
    func merged(into songs: [String], make: (String) throws -> PlaylistStore.Entry) rethrows -> [PlaylistStore.Entry] {
        let theirs = SongOccurrence.numbered(songs)
        var positions: [SongOccurrence: Int] = [:]
        for (position, place) in theirs.enumerated() { positions[place] = position }
        // Our entries by the number of their entries in front of which they go.
        var inserted: [Int: [PlaylistStore.Entry]] = [:]
        for (index, target) in targets(positions, end: songs.count) {
            inserted[target, default: []].append(entries[index])
        }
        var result: [PlaylistStore.Entry] = []
        result.reserveCapacity(songs.count + inserted.count)
        for (position, song) in songs.enumerated() {
            if let ours = inserted[position] { result += ours }
            result.append(try make(song))
        }
        return result + (inserted[songs.count] ?? [])
    }

    private func targets(_ positions: [SongOccurrence: Int], end: Int) -> [(index: Int, target: Int)] {
        let shared = entries.indices.filter { !isOurs[$0] }
        let places = SongOccurrence.numbered(shared.map { entries[$0].serverSong ?? "" })
        var found = [Int?](repeating: nil, count: entries.count)
        for (index, place) in zip(shared, places) { found[index] = positions[place] }
        // Distance and position of the nearest common entry on either side.
        var before: [(distance: Int, position: Int)?] = []
        var last: (index: Int, position: Int)?
        for index in entries.indices {
            if let position = found[index] { last = (index, position) }
            before.append(last.map { (index - $0.index, $0.position) })
        }
        var result: [(index: Int, target: Int)] = []
        last = nil
        for index in entries.indices.reversed() {
            if let position = found[index] { last = (index, position) }
            guard isOurs[index] else { continue }
            let behind = last.map { (distance: $0.index - index, position: $0.position) }
            let target: Int =
                switch (before[index], behind) {
                case (let before?, let behind?):
                    before.distance <= behind.distance ? before.position + 1 : behind.position
                case (let before?, nil): before.position + 1
                case (nil, let behind?): behind.position
                case (nil, nil): end
                }
            result.append((index, target))
        }
        return result.reversed()
    }
}
