import Sync
import LibraryIndex
import MusicModel
import Players
import Playback
import SegueConfiguration
import ServerLoop
import Supervision
import UserLibrary

extension Daemon {
    /// The status for the service manager: "Playing Bach: Air, 12,345 songs, connected".
    func statusSentence() async -> String {
        let songs = (try? await sources.library.index.statistics().songs) ?? 0
        let partitions = playback.players.partitions
        let player = (partitions.first { $0.player.isPlaying } ?? partitions.first)?.player
        let state = player?.status.state ?? .stop
        var title: String?
        if state != .stop, let item = player?.current?.entry.item { title = await self.title(of: item) }
        // Where there is a folder of music, no one misses a server.
        let isLocal = reports.connection == .notConfigured && configuration.local != nil
        return StatusSentence.text(
            state, title: title, songs: songs, connection: isLocal ? nil : reports.connection.words)
    }

    private func title(of item: QueueItem) async -> String {
        switch item {
        case .song(let id):
            let found = try? await sources.library.index.songs([id], alsoGone: true)
            guard let song = found?.first ?? nil else { return "a song" }
            // The file's name of a song without tags; never the whole path, which would not fit.
            return StatusSentence.title(song.tags) ?? String(song.uri.pathName)
        case .stream(_, let tags):
            // Not the address: it may hold a password.
            return StatusSentence.title(tags) ?? "a stream"
        }
    }
}
