import LibraryIndex
import MusicModel
import Subsonic

extension MusicIndex {
    /// The part of our queue that the server can hold, around the current entry; nil without such a song.
    ///
    /// An entry that the server does not have gives its place to the next one that it has, from that one's start.
    func serverQueue(_ snapshot: QueueSnapshot) async throws -> SubsonicPlayQueue? {
        let ids = try await serverIDs(
            snapshot.items.compactMap { item in
                guard case .song(let id) = item else { return nil }
                return id
            })
        var songs: [String] = []
        var current: Int?
        var isExact = false
        for (index, item) in snapshot.items.enumerated() {
            guard case .song(let id) = item, let serverID = ids[id] else { continue }
            if current == nil, index >= snapshot.current {
                current = songs.count
                isExact = index == snapshot.current
            }
            songs.append(serverID)
        }
        guard !songs.isEmpty else { return nil }
        let index = current ?? songs.count - 1
        let first = max(0, min(index - QueueKeeper.maxSongs / 10, songs.count - QueueKeeper.maxSongs))
        let part = songs[first..<min(first + QueueKeeper.maxSongs, songs.count)]
        return SubsonicPlayQueue(
            songIDs: Array(part), current: index - first,
            position: isExact ? max(0, snapshot.elapsed.milliseconds) : 0)
    }

    /// Another client's queue in our songs; those that the index does not have are left out.
    func otherQueue(_ queue: SubsonicPlayQueue, saved: Int64) async throws -> OtherQueue? {
        let ids = try await songIDs(ofServerSongs: queue.songIDs)
        var songs: [SongID] = []
        var current: Int?
        var isExact = false
        for (index, serverID) in queue.songIDs.enumerated() {
            guard let id = ids[serverID] else { continue }
            if current == nil, let theirs = queue.current, index >= theirs {
                current = songs.count
                isExact = index == theirs
            }
            songs.append(id)
        }
        guard !songs.isEmpty else { return nil }
        return OtherQueue(
            songs: songs, current: current, elapsed: isExact ? .milliseconds(clamping: queue.position) : .zero,
            saved: saved)
    }
}
