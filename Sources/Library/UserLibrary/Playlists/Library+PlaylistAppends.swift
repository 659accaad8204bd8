import Coordination
import GRDB
import LibraryIndex
import Logging
import MusicModel
import Synchronization

extension Library {
    /// Puts songs at the end of a playlist, which the database hears of a moment later; false, with nothing done, where
    /// that takes more than a few rows to decide or may not be done.
    ///
    /// - Isolation: any; does not suspend.
    func appendSoon(_ items: [QueueItem], to name: String) -> Bool {
        guard !items.isEmpty, items.count <= PlaylistAppends.mostSongs else { return false }
        var songs: [SongID] = []
        for item in items {
            guard case .song(let id) = item else { return false }
            songs.append(id)
        }
        let known = appends.room(for: name)
        let room =
            known
            ?? database.quickly { [virtualPlaylists, playlistLimit, songs] database in
                let store = PlaylistStore(database, virtualPlaylists)
                guard let playlist = try store.editable(name) else { return playlistLimit }
                // A long playlist is counted only where that decides.
                let most = try store.parts.mostEntries(playlist.id)
                if most <= playlistLimit - songs.count { return playlistLimit - most }
                return playlistLimit - (try store.parts.count(playlist.id))
            }
        guard let room, room >= songs.count else { return false }
        guard appends.add(songs, to: name, edited: UnixTime.milliseconds, room: room) else { return false }
        planWriting(after: .milliseconds(200))
        return true
    }

    /// Waits until the database has every addition to playlists, so that it can be read.
    func writeWaitingAppends(isolation: isolated (any Actor)? = #isolation) async throws {
        if !appends.isEmpty { try await writeAppendsNow() }
    }

    @concurrent
    private func writeAppendsNow() async throws {
        try await writePlaylists(soon: true) { _ in }
    }

    /// Runs a write of playlists in a transaction, behind the additions that wait.
    ///
    /// - Parameter soon: as `writeSoon` does.
    @concurrent
    func writePlaylists<Value: Sendable>(
        soon: Bool = false, _ body: @escaping @Sendable (PlaylistStore) throws -> Value
    ) async throws -> Value {
        let isBehind = !appends.isEmpty
        let work: @Sendable (Database) throws -> (value: Value, applied: Int64) = {
            [appends, virtualPlaylists] database in
            let store = PlaylistStore(database, virtualPlaylists)
            let applied = try store.apply(appends)
            return (try body(store), applied)
        }
        let (value, applied) = try await soon ? database.writeSoon(work) : write(work)
        appends.forget(upTo: applied)
        if isBehind { noteUpstreamWork() }
        return value
    }

    /// Brings the database up to date a moment later; after a failure, such as a full disk, it is tried again.
    private func planWriting(after delay: Duration) {
        appendWrites.plan(after: delay, for: self) { library in
            do {
                try await library.writeWaitingAppends()
                library.appends.isFailing.store(false, ordering: .relaxed)
            } catch {
                if !library.appends.isFailing.exchange(true, ordering: .relaxed) {
                    Logger(label: "segue.playlists").error(
                        "additions to playlists can't be written; it is tried again every five seconds: \(chain: error)"
                    )
                }
                library.planWriting(after: .seconds(5))
            }
        }
    }
}
