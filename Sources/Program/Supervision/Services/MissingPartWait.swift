package import Logging
import ServiceLifecycle
import Synchronization

/// Waits for what a server started without, and then ends the other services; the log says what else is missing
/// meanwhile.
package final class MissingPartWait: Service, Sendable {
    private let advice: String
    private let interval: Duration
    private let log: Logger
    private let missing: @Sendable () -> String?
    private let isFound = Atomic(false)

    /// Waits for what the advice in the log says is missing, and checks that every second; `missing` says what still
    /// is.
    package init(
        after advice: String, interval: Duration = .seconds(1), log: Logger,
        missing: @escaping @Sendable () -> String?
    ) {
        (self.advice, self.interval, self.log, self.missing) = (advice, interval, log, missing)
    }

    /// True once nothing is missing; false when the server was ended before.
    package var isOver: Bool { isFound.load(ordering: .acquiring) }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var told = self.advice
            while (try? await Task.sleep(for: self.interval)) != nil {
                guard let advice = self.missing() else { return self.isFound.store(true, ordering: .releasing) }
                if advice != told { self.log.warning("\(advice)") }
                told = advice
            }
        }
    }
}
