package import MusicModel
package import Playback
package import ServerLoop

/// Tells what plays and comes next, whichever partition changed last.
@ServerActor
package final class CurrentSong: PlayerObserver {
    private let count: Int
    private let tell: @Sendable ([SongID]) -> Void
    private var last: [SongID] = []

    /// Calls `tell` with every song that begins and those that follow it, at most `count` in all.
    package init(_ count: Int, _ tell: @escaping @Sendable ([SongID]) -> Void) {
        self.count = count
        self.tell = tell
    }

    package func changed(_ partition: Partition, _ subsystems: Subsystem) {
        guard !subsystems.isDisjoint(with: [.player, .queue]), partition.player.isPlaying,
            case .song? = partition.player.current?.entry.item
        else { return }
        let songs = partition.player.upcoming(count)
        guard songs != last else { return }
        last = songs
        tell(songs)
    }
}
