package import Coordination
package import Logging
import MusicModel
import Subsonic

/// Sends what changed here to the server, as soon as something waits and the server can be reached.
///
/// Each kind of change has a writer of its own; one that fails does not hold the others up. After a failure the pause
/// grows; a new change or the server's return ends it.
/// - Isolation: its own actor; `wake` may be called from anywhere.
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

    /// Makes the service; nothing happens before `run`.
    ///
    /// - Parameters:
    ///   - writers: what can be sent, in the order in which it is.
    ///   - work: rings when something was written that has to be sent; it is this service's alone.
    ///   - pauses: those after failures.
    ///   - clock: the one by which it pauses; `work` has the same.
    ///   - noteWaiting: is told whether changes wait for the server, after each attempt to send them.
    ///   - logger: gets a line when changes have to wait, and when they no longer do.
    package init(
        writers: [any UpstreamWriting], work: Alarm = Alarm(), pauses: Backoff = Backoff(),
        clock: any ServiceClock = ContinuousClock(),
        noteWaiting: @escaping @Sendable (_ waits: Bool) -> Void = { _ in }, logger: Logger
    ) {
        self.writers = writers
        alarm = work
        self.noteWaiting = noteWaiting
        self.pauses = pauses
        self.clock = clock
        self.logger = logger
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

    /// Has every writer send what waits; false if one of them could not.
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
