package import Logging
import MusicModel
package import Playback
import Players
import ServerLoop

/// Pauses the music of this machine's sound cards when headphones are pulled, so that the room doesn't hear it.
package struct HeadphonePause: Sendable {
    private let watch: HeadphoneWatch
    private let log: Logger

    /// Makes it; nothing is heard before `run`.
    package init(log: Logger) {
        self.log = log
        watch = HeadphoneWatch(log: log)
    }

    /// Pauses what plays here, each time, until the task is cancelled.
    package func run(_ partitions: @escaping @ServerActor () -> [Partition]) async {
        let log = log
        await watch.run {
            Task { @ServerActor in
                for partition in partitions() where Self.playsHere(partition) {
                    partition.player.run(MediaCommand.pause)
                    log.info("headphones were unplugged: paused", metadata: ["partition": "\(partition.name)"])
                }
            }
        }
    }

    /// The types of outputs that play through a sound card of this machine.
    private static let devices: Set<String> = ["auto", "alsa", "pulse", "pipewire", "jack"]

    /// True if a partition plays through a sound card; rooms elsewhere play on.
    @ServerActor
    package static func playsHere(_ partition: Partition) -> Bool {
        partition.player.isPlaying
            && partition.player.engine.outputs.contains {
                $0.isEnabled && !$0.isMovedAway && devices.contains($0.plugin)
            }
    }
}
