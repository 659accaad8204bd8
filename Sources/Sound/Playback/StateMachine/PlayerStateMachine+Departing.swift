package import MusicModel
import ServerLoop

/// Songs that leave the library for a while: a folder that isn't mounted, a server that rescans.
extension PlayerStateMachine {
    mutating func noteDeparture(of positions: RangeSet<Int>) {
        let earlier = Dictionary(grouping: departed, by: \.predecessor)
        var noted: [DepartedEntry] = []
        var predecessor: QueueEntryID?
        func follow(_ id: QueueEntryID?) {
            for var entry in earlier[id] ?? [] {
                entry.predecessor = predecessor
                noted.append(entry)
            }
        }
        follow(nil)
        for (position, entry) in queue.entries.enumerated() {
            if positions.contains(position), let song = entry.songID {
                noted.append(
                    DepartedEntry(
                        song: song, range: entry.range, sheetTags: entry.sheetTags, priority: entry.priority,
                        predecessor: predecessor, position: position, wasCurrent: position == currentPosition))
            } else {
                predecessor = entry.id
            }
            follow(entry.id)
        }
        departed = Array(noted.prefix(queue.limit))
    }

    /// Puts entries back whose songs are there again; where the queue has no room, they wait on.
    package mutating func bringBack(_ songs: [SongID: QueueCandidate]) {
        func candidate(_ entry: DepartedEntry) -> QueueCandidate? {
            var candidate = songs[entry.song]
            candidate?.range = entry.range
            candidate?.sheetTags = entry.sheetTags
            return candidate
        }
        let returning = departed.filter { songs[$0.song] != nil }
        guard !returning.isEmpty, queue.count + returning.count <= queue.limit,
            queue.hasRoom(for: returning.compactMap(candidate))
        else { return }
        departed.removeAll { songs[$0.song] != nil }
        for group in returning.chunked(by: \.predecessor) {
            let candidates = group.compactMap(candidate)
            let place = group.first.map { self.place(of: $0) } ?? queue.count
            guard let ids = try? insert(candidates, at: .absolute(place)) else { continue }
            for (entry, id) in zip(group, ids) {
                // The ids are those that were just inserted.
                if entry.priority != 0 { try? setPriority(entry.priority, ids: [id]) }
                if entry.wasCurrent, transport == .stop, current == nil {
                    current = index(of: id)
                    changed(.player)
                }
            }
        }
        refreshNext()
    }

    private func place(of entry: DepartedEntry) -> Int {
        guard let predecessor = entry.predecessor else { return 0 }
        return queue.position(of: predecessor).map { $0 + 1 } ?? min(entry.position, queue.count)
    }
}

extension Array {
    fileprivate func chunked(by value: KeyPath<Element, some Equatable>) -> [ArraySlice<Element>] {
        var parts: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices.dropFirst() where self[index][keyPath: value] != self[index - 1][keyPath: value] {
            parts.append(self[start..<index])
            start = index
        }
        if start < endIndex { parts.append(self[start...]) }
        return parts
    }
}

extension Player {
    /// The songs of entries that left the queue with them, and come back with them.
    package var departedSongs: [SongID] { machine.departed.map(\.song) }
    /// Those entries, to be kept over a restart.
    package var departedEntries: [DepartedEntry] { machine.departed }

    /// Takes over the entries that had left a queue before it was saved; those that it lost since then stay.
    package func restoreDeparted(_ entries: [DepartedEntry]) {
        perform { $0.departed = Array((entries + $0.departed).prefix($0.queue.limit)) }
    }

    /// Forgets the entries that left the queue with their songs.
    package func forgetDeparted() { perform { $0.departed = [] } }
}
