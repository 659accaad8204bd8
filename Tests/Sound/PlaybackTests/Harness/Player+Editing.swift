import MusicModel

@testable import Playback

/// Edits of the queue at once, by the names that they have in the machine.
extension Player {
    /// Inserts songs (at the end when `position` is nil) and returns the new ids.
    @discardableResult
    func insert(
        _ songs: [QueueCandidate], at position: QueuePosition?
    ) throws(PlayerError) -> [QueueEntryID] {
        try attempt { machine throws(PlayerError) in try machine.insert(songs, at: position) }
    }

    /// Removes a range of positions, whose end is clipped.
    func delete(_ range: Range<Int>) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.delete(range) }
    }

    /// Removes the entry with an id.
    func delete(id: QueueEntryID) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.delete(id: id) }
    }

    /// Empties the queue and stops.
    func clear() { perform { $0.clear() } }

    /// Moves a range of positions so that it begins at `position`; the end is not clipped.
    func move(_ range: Range<Int>, to position: QueuePosition) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.move(range, to: position) }
    }

    /// Moves one entry to another position; nothing else changes its order.
    func move(id: QueueEntryID, to position: QueuePosition) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.move(id: id, to: position) }
    }

    /// Swaps two positions.
    func swap(_ first: Int, _ second: Int) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.swap(first, second) }
    }

    /// Swaps the entries with two ids.
    func swap(id first: QueueEntryID, _ second: QueueEntryID) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.swap(id: first, second) }
    }

    /// Shuffles a range, or all (the current song is kept first, as MPD does).
    func shuffle(_ range: Range<Int>?) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.shuffle(range) }
    }

    /// Sets the priority of a range, 0 to 255.
    func setPriority(_ priority: Int, range: Range<Int>) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.setPriority(priority, range: range) }
    }

    /// Sets the priority of the entry with an id, 0 to 255.
    func setPriority(_ priority: Int, id: QueueEntryID) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.setPriority(priority, ids: [id]) }
    }

    /// Changes the tags of a stream entry (`addtagid`, `cleartagid`); false when the entry is a song of the library.
    func setStreamTags(
        id: QueueEntryID, _ change: (inout [TagValue]) -> Void
    ) throws(PlayerError) -> Bool {
        try attempt { machine throws(PlayerError) in try machine.setStreamTags(id: id, change) }
    }

    /// Sets the part of its song that the entry with an id plays, in seconds of the song; nil ends are the song's own.
    func setRange(id: QueueEntryID, start: Duration, end: Duration?) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.setRange(id: id, start: start, end: end) }
    }

    /// Removes songs that left the library, but for the one that is being played.
    func removeSongs(_ songs: Set<SongID>) { perform { $0.removeSongs(songs) } }

    /// Marks entries of these songs as changed (tags were edited), so that plchanges lists them.
    func songsChanged(_ songs: Set<SongID>) { perform { $0.songsChanged(songs) } }
}
