package import Coordination
package import Logging
import MusicModel
import Subsonic

/// Sends what changed here to the server, as soon as something waits and the server can be reached.
///
/// Each kind of change has a writer of its own; one that fails does not hold the others up. After a failure the pause
/// grows; a new change or the server's return ends it.
package actor Upstream {
    /// How long edits are gathered before they are sent.
    private static let burst = Duration.milliseconds(200)

    private let writers: [any UpstreamWriting]
    private let pauses: Backoff
    private let clock: any ServiceClock
    private let logger: Logger
    private let noteWaiting: @Sendable (_ waits: Bool) -> Void
    private nonisolated let alarm: Alarm
    /// The writers whose changes wait, so that the log has a line per outage.
    private var waiting: Set<String> = []

    /// Makes the service with writers in the order in which they send; nothing happens before `run`. `work` rings when
    /// something was written that has to be sent, and is this service's alone; `clock` is `work`'s, too. `noteWaiting`
    /// is told after each attempt whether changes wait for the server.
    package init(
        writers: [any UpstreamWriting], work: Alarm = Alarm(), pauses: Backoff = Backoff(),
        clock: any ServiceClock = ContinuousClock(),
        noteWaiting: @escaping @Sendable (_ waits: Bool) -> Void = { _ in }, logger: Logger
    ) {
        self.writers = writers
        alarm = work
        (self.noteWaiting, self.pauses, self.clock, self.logger) = (noteWaiting, pauses, clock, logger)
    }

    /// Searches for changes to send, because there are some or the server is back.
    package nonisolated func wake() { alarm.ring() }

    /// Sends changes until the task is cancelled; first whatever waits from before.
    package func run() async {
        var failures = 0
        while !Task.isCancelled {
            failures = await sendAll() ? 0 : failures + 1
            noteWaiting(failures > 0)
            await alarm.wait(atMost: failures > 0 ? pauses.pause(after: failures) : nil)
            // Edits come in bursts; one check of the server does for all of them. They wait in the index meanwhile.
            try? await clock.sleep(for: Self.burst)
        }
    }

    private func sendAll() async -> Bool {
        var isDone = true
        for writer in writers {
            do {
                let hasSent = try await writer.push()
                if waiting.remove(writer.name) != nil, hasSent { logger.info("\(writer.name) reach the server again") }
            } catch is CancellationError {
                return false
            } catch let error as SubsonicError where error.code == .closed {
                return false
            } catch {
                isDone = false
                if waiting.insert(writer.name).inserted {
                    logger.warning("\(writer.name) wait until the server accepts them: \(chain: error)")
                }
            }
        }
        return isDone
    }
}

/// Sends one kind of local changes to the server, such as edits of playlists or stars.
///
/// An edit that waits is in the index, written in the transaction of the change itself, and goes when the server has
/// it. So `push` may be called at any time and as often as one likes; it sends what waits and nothing else.
package protocol UpstreamWriting: Sendable {
    /// The kind of change, for the log: `playlists`, `stars and ratings`.
    var name: String { get }

    /// Sends everything that waits, oldest first. A change that the server refuses for good must not block the rest.
    /// - Returns: whether anything was sent.
    /// - Throws: `SubsonicError` when the server can't be used now: what waits is kept, and `push` is called again
    ///   later.
    func push() async throws -> Bool
}
