package import MusicModel
import ServerLoop

/// Editing the queue. Every edit raises the version once; an edit that changes nothing does nothing.
extension Player {
    /// Inserts songs (at the end when `position` is nil) and returns the new ids.
    ///
    /// - Throws: `queueFull`, `badRange`, and `notPlaying` for a relative position without a current song.
    @discardableResult
    package func insert(
        _ songs: [QueueCandidate], at position: QueuePosition?
    ) throws(PlayerError) -> [QueueEntryID] {
        try attempt { machine throws(PlayerError) in try machine.insert(songs, at: position) }
    }

    /// Removes a range of positions, whose end is clipped.
    package func delete(_ range: Range<Int>) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.delete(range) }
    }

    /// Removes the entry with an id.
    package func delete(id: QueueEntryID) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in
            let position = try machine.requirePosition(of: id)
            try machine.delete(position..<position + 1)
        }
    }

    /// Empties the queue and stops.
    package func clear() { perform { $0.clear() } }

    /// Moves a range of positions so that it begins at `position`; the end is not clipped.
    package func move(_ range: Range<Int>, to position: QueuePosition) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.move(range, to: position) }
    }

    /// Moves one entry to another position; nothing else changes its order.
    package func move(id: QueueEntryID, to position: QueuePosition) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in
            let from = try machine.requirePosition(of: id)
            try machine.move(from..<from + 1, to: position)
        }
    }

    /// Swaps two positions.
    package func swap(_ first: Int, _ second: Int) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.swap(first, second) }
    }

    /// Swaps the entries with two ids.
    package func swap(id first: QueueEntryID, _ second: QueueEntryID) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in
            try machine.swap(machine.requirePosition(of: first), machine.requirePosition(of: second))
        }
    }

    /// Shuffles a range, or all (the current song is kept first, as MPD does).
    package func shuffle(_ range: Range<Int>?) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.shuffle(range) }
    }

    /// Sets the priority of a range, 0 to 255.
    package func setPriority(_ priority: Int, range: Range<Int>) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.setPriority(priority, range: range) }
    }

    /// Sets the priority of the entry with an id, 0 to 255.
    package func setPriority(_ priority: Int, id: QueueEntryID) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in
            let position = try machine.requirePosition(of: id)
            try machine.setPriority(priority, range: position..<position + 1)
        }
    }

    /// Changes the tags of a stream entry (`addtagid`, `cleartagid`); false when the entry is a song of the library.
    ///
    /// - Throws: `noSuchSong`; `queueFull` where all queues have no room for the tags.
    package func setStreamTags(
        id: QueueEntryID, _ change: (inout [TagValue]) -> Void
    ) throws(PlayerError) -> Bool {
        try attempt { machine throws(PlayerError) in try machine.setStreamTags(id: id, change) }
    }

    /// Sets the part of its song that the entry with an id plays, in seconds of the song; nil ends are the song's own.
    ///
    /// - Throws: `noSuchSong`; `isCurrent` unless stopped; `badOffset`; `queueFull` where queues have no room for it.
    package func setRange(id: QueueEntryID, start: Duration, end: Duration?) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.setRange(id: id, start: start, end: end) }
    }

    /// Removes songs that left the library, but for the one that is being played.
    package func removeSongs(_ songs: Set<SongID>) { perform { $0.removeSongs(songs) } }

    /// Marks entries of these songs as changed (tags were edited), so that plchanges lists them.
    package func songsChanged(_ songs: Set<SongID>) { perform { $0.songsChanged(songs) } }
}
