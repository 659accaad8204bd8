import LibraryIndex
package import Sync
package import MusicModel
import Synchronization
package import UserLibrary

/// What a sync told its observer.
package final class SyncRecorder: Sendable {
    /// Makes one that heard nothing.
    package init() {}

    package struct Heard {
        package var subsystems: [Subsystem] = []
        package var updated: Set<SongID> = []
        package var removed: Set<SongID> = []
        package var connections: [ConnectionStatus] = []
        package var sentences: [String] = []
        package var lastProgress: (done: Int, total: Int?)?
    }

    private let heard = Mutex(Heard())

    package var now: Heard { heard.withLock { $0 } }

    /// Forgets what was heard so far.
    package func reset() { heard.withLock { $0 = Heard() } }

    package var observer: SyncObserver {
        SyncObserver(
            report: { event in
                self.heard.withLock {
                    switch event {
                    case .subsystemsChanged(let changed): $0.subsystems.append(changed)
                    case .songsChanged(let updated, let removed):
                        $0.updated.formUnion(updated)
                        $0.removed.formUnion(removed)
                    case .connectionChanged(let status, let sentence):
                        $0.connections.append(status)
                        $0.sentences.append(sentence)
                    case .serverIsBack: break
                    }
                }
            },
            progress: { done, total in self.heard.withLock { $0.lastProgress = (done, total) } })
    }
}

extension Library {
    /// Every song by its URI.
    package func allSongs() async throws -> [String: Song] {
        let found = try await index.findQueueable(SongQuery(.all))
        var byURI: [String: Song] = [:]
        for song in try await index.songs(found.map(\.id)) {
            if let song { byURI[song.uri] = song }
        }
        return byURI
    }

    /// Every song's id by its URI; songs that a sync takes away meanwhile are left out.
    package func allIDs() async throws -> [String: SongID] {
        let ids = try await index.findQueueable(SongQuery(.all)).map(\.id)
        var byURI: [String: SongID] = [:]
        for (id, song) in zip(ids, try await index.songs(ids)) {
            if let song { byURI[song.uri] = id }
        }
        return byURI
    }
}
