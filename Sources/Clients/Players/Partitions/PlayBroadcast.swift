package import MusicModel
import Synchronization

/// Passes on what all partitions play; a stream that nothing reads keeps the newest 4,096 events.
package final class PlayBroadcast: Sendable {
    private let streams = Mutex<[AsyncStream<PlaybackEvent>.Continuation]>([])

    /// Makes a broadcast that nothing listens to.
    package init() {}

    /// A stream of all that is sent from now on, for one consumer.
    package func subscribe() -> AsyncStream<PlaybackEvent> {
        let (stream, continuation) = AsyncStream<PlaybackEvent>.makeStream(bufferingPolicy: .bufferingNewest(4096))
        streams.withLock { $0.append(continuation) }
        return stream
    }

    /// Sends an event of a partition's player, whose number becomes one that no other partition's plays have.
    func send(_ event: PlaybackEvent, of partition: Int) {
        let event = event.numbered(by: partition)
        for stream in streams.withLock({ $0 }) { stream.yield(event) }
    }
}

extension PlaybackEvent {
    fileprivate func numbered(by partition: Int) -> PlaybackEvent {
        let offset = Self.numbers(of: partition)
        return switch self {
        case .started(let play, let song, let time): .started(play: play + offset, song: song, at: time)
        case .heard(let play, let song, let total): .heard(play: play + offset, song: song, total: total)
        case .moved(let play, let song, let place, let isPaused):
            .moved(play: play + offset, song: song, place: place, isPaused: isPaused)
        case .ended(let play, let song): .ended(play: play + offset, song: song)
        }
    }
}
