import LibraryIndex
import MusicModel
import Subsonic

extension MusicIndex {
    /// The part of our queue that the server can hold, around the current entry; nil without such a song.
    func serverQueue(_ snapshot: QueueSnapshot) async throws -> SubsonicPlayQueue? {
        let songs = snapshot.items.map { item -> SongID? in if case .song(let id) = item { id } else { nil } }
        let ids = try await serverIDs(songs.compactMap(\.self))
        let known = KnownEntries(songs.map { $0.flatMap { ids[$0] } }, current: snapshot.current)
        guard !known.ids.isEmpty else { return nil }
        let index = known.current ?? known.ids.count - 1
        let first = max(0, min(index - QueueKeeper.maxSongs / 10, known.ids.count - QueueKeeper.maxSongs))
        return SubsonicPlayQueue(
            songIDs: Array(known.ids[first...].prefix(QueueKeeper.maxSongs)), current: index - first,
            position: known.isExact ? max(0, snapshot.elapsed.milliseconds) : 0)
    }

    /// Another client's queue in our songs; those that the index does not have are left out.
    func otherQueue(_ queue: SubsonicPlayQueue, saved: Int64) async throws -> OtherQueue? {
        let ids = try await songIDs(ofServerSongs: queue.songIDs)
        let known = KnownEntries(queue.songIDs.map { ids[$0] }, current: queue.current)
        guard !known.ids.isEmpty else { return nil }
        return OtherQueue(
            songs: known.ids, current: known.current,
            elapsed: known.isExact ? .milliseconds(clamping: queue.position) : .zero, saved: saved)
    }
}

/// The entries of a queue that the other side knows.
///
/// The current entry, if it is not among them, gives its place to the next one that is, from that one's start.
private struct KnownEntries<ID> {
    private(set) var ids: [ID] = []
    private(set) var current: Int?
    private(set) var isExact = false

    init(_ entries: [ID?], current wanted: Int?) {
        for (index, id) in entries.enumerated() {
            guard let id else { continue }
            if current == nil, let wanted, index >= wanted { (current, isExact) = (ids.count, index == wanted) }
            ids.append(id)
        }
    }
}
