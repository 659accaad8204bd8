import Foundation
package import Logging
import MusicModel
package import Players
package import Playback
package import ServerLoop
import Supervision

/// Shows the players at the desktop by MPRIS, and does what media keys, headset buttons and lock screens ask for.
///
/// Outside of a desktop session nothing happens.
/// - Isolation: ServerActor; the bus has a thread of its own.
@ServerActor
package final class DesktopControls {
    /// The observer that follows the players for the desktop; nil where there is none.
    package let watch: PlayerWatch?
    private let settings: MediaControlSettings
    private let pictures: PictureFiles?
    private let log: Logger

    /// Makes it; nothing is shown before `run`.
    ///
    /// - Parameter picture: the picture of a song's album; nil when it has none.
    package init(
        _ settings: MediaControlSettings, _ lookup: PlayerWatch.Lookup,
        picture: @escaping @Sendable (_ uri: String) async -> [UInt8]?, log: Logger
    ) {
        self.settings = settings
        self.log = log
        let environment = ProcessInfo.processInfo.environment
        guard settings.isEnabled, SessionBus.address(environment) != nil else {
            (watch, pictures) = (nil, nil)
            return
        }
        let folder = (environment["XDG_RUNTIME_DIR"] ?? NSTemporaryDirectory()) + "/segue"
        let pictures = PictureFiles(in: folder, log: log, picture)
        var lookup = lookup
        lookup.picture = { await pictures.path(of: $0, for: $1) }
        watch = PlayerWatch(lookup, followsAll: settings.showsPartitions)
        self.pictures = pictures
    }

    /// Serves the desktop until the task is cancelled.
    ///
    /// - Parameter open: plays what an address names in a partition, behind its current song.
    package func run(open: @escaping @ServerActor (_ uri: String, Partition) async -> Void) async {
        guard let watch, let pictures else { return }
        let players = DesktopPlayers(settings, log: log) { partition, command in
            // Calls of one desktop arrive in order, and tasks of one actor start in order.
            Task { @ServerActor in
                guard let partition = watch.partition(named: partition) else { return }
                if case .open(let uri) = command {
                    await open(uri, partition)
                } else {
                    partition.player.run(command)
                }
            }
        }
        watch.begin { state, partition in
            if state?.song == nil { Task { await pictures.remove(for: partition) } }
            if let state { players.show(state, of: partition) } else { players.close(partition) }
        }
        await players.run {
            let isDone = DispatchSemaphore(value: 0)
            Task { @ServerActor in
                for partition in watch.partitions { partition.player.run(MediaCommand.pause) }
                isDone.signal()
            }
            _ = isDone.wait(timeout: .now() + 2)
        }
        watch.end()
        await pictures.removeAll()
    }
}
