public import Logging
import Subsonic

/// Sends what changed here to the server, as soon as something waits and the server can be reached.
///
/// Each kind of change has a writer of its own; one that fails does not hold the others up. After a failure the pause
/// grows; a new change or the server's return ends it.
/// - Isolation: its own actor; `wake` may be called from anywhere.
public actor Upstream {
    /// How long edits are gathered before they are sent.
    private static let burst = Duration.milliseconds(200)

    private let writers: [any UpstreamWriting]
    private let settings: SyncSettings
    private let logger: Logger
    private nonisolated let wakes: AsyncStream<Void>
    private nonisolated let wakeUp: AsyncStream<Void>.Continuation
    /// The writers whose changes wait, so that the log has a line per outage.
    private var waiting: Set<String> = []

    /// Makes the service; nothing happens before `run`.
    ///
    /// - Parameters:
    ///   - writers: what can be sent, in the order in which it is.
    ///   - settings: the pauses after failures.
    ///   - logger: gets a line when changes have to wait, and when they no longer do.
    public init(writers: [any UpstreamWriting], settings: SyncSettings = SyncSettings(), logger: Logger) {
        self.writers = writers
        self.settings = settings
        self.logger = logger
        (wakes, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Looks for changes to send, because there are some or the server is back.
    public nonisolated func wake() { wakeUp.yield() }

    /// Sends changes until the task is cancelled; first whatever waits from before.
    ///
    /// - Parameter work: yields when something was written that has to be sent.
    public func run(work: AsyncStream<Void>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in work { self.wake() } }
            await sendUntilCancelled()
            group.cancelAll()
        }
    }

    private func sendUntilCancelled() async {
        var wakeUps = wakes.makeAsyncIterator()
        var failures = 0
        while !Task.isCancelled {
            failures = await sendAll() ? 0 : failures + 1
            let timer = failures > 0 ? wakeLater(settings.retryDelay(after: failures)) : nil
            _ = await wakeUps.next()
            timer?.cancel()
            // Edits come in bursts; one look at the server does for all of them. They wait in the index meanwhile.
            try? await Task.sleep(for: Self.burst)
        }
    }

    private func wakeLater(_ delay: Duration) -> Task<Void, Never> {
        Task { [weak self] in
            do {
                try await Task.sleep(for: delay)
                self?.wake()
            } catch {
                // Something else woke it.
            }
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
                    logger.warning("\(writer.name) wait until the server takes them: \(error)")
                }
            }
        }
        return isDone
    }
}
