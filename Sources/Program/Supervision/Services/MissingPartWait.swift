import ServiceLifecycle
import Synchronization

/// The part that waits until something is there that a server started without, and then ends the others.
package final class MissingPartWait: Service, Sendable {
    private let interval: Duration
    private let isThere: @Sendable () -> Bool
    private let isFound = Atomic(false)

    /// Waits.
    ///
    /// - Parameters:
    ///   - interval: between two checks; a login is typed in by a person, who can wait so long.
    ///   - isThere: looks.
    package init(interval: Duration = .seconds(1), isThere: @escaping @Sendable () -> Bool) {
        self.interval = interval
        self.isThere = isThere
    }

    /// Whether it was found; false when the server was ended before.
    package var isOver: Bool { isFound.load(ordering: .acquiring) }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: self.interval)) != nil {
                if self.isThere() { return self.isFound.store(true, ordering: .releasing) }
            }
        }
    }
}
