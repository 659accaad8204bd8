package import MusicModel
import Partitions
package import Playback
package import ServerLoop

/// Tells what plays, whichever partition began last.
///
/// - Isolation: ServerActor.
@ServerActor
package final class CurrentSong: PlayerObserver {
    private let tell: @Sendable (SongID) -> Void
    private var last: SongID?

    /// Calls `tell` with every song that begins.
    package init(_ tell: @escaping @Sendable (SongID) -> Void) { self.tell = tell }

    package func changed(_ partition: Partition, _ subsystems: Subsystem) {
        guard subsystems.contains(.player), partition.player.isPlaying,
            case .song(let song)? = partition.player.current?.entry.item, song != last
        else { return }
        last = song
        tell(song)
    }
}
