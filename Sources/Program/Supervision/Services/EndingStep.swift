import Coordination
package import Logging
import ServiceLifecycle
import Synchronization

/// One step of the server's end as the service group runs it: what ends, and how long that may take.
///
/// The steps are listed once, in their order; a service group ends its services one after the other.
package struct EndingStep: Service, CustomStringConvertible {
    private let name: String
    private let limit: Duration
    private let work: @Sendable () async -> Void
    private let end: @Sendable () async -> Void
    private let details: @Sendable () -> String?
    private let report: ShutdownReport

    /// Names a step.
    ///
    /// - Parameters:
    ///   - name: its name in the log.
    ///   - limit: how long its end may take; a step that takes longer is left behind, and the next one begins.
    ///   - report: takes note of steps that are left behind.
    ///   - end: what must happen.
    package init(
        _ name: String, limit: Duration, report: ShutdownReport, end: @escaping @Sendable () async -> Void
    ) {
        self.name = name
        self.limit = limit
        self.report = report
        self.end = end
        work = {}
        details = { nil }
    }

    /// The end of services that run until they are cancelled, all of them at the same time.
    package init(ending services: BackgroundServices, limit: Duration, report: ShutdownReport) {
        name = "background work"
        self.limit = limit
        self.report = report
        end = {}
        work = { await services.run() }
        details = { services.unfinishedNames.joined(separator: ", ") }
    }

    /// Its name in the log.
    package var description: String { name }

    package func run() async throws {
        let working = Task { await work() }
        // A part that has nothing more to do must not end the others; and a cancelled group is one that ends.
        try? await gracefulShutdown()
        working.cancel()
        let isDone: Bool? = await withTimeLimit(limit) {
            await working.value
            await end()
            return true
        }
        if isDone == nil { report.abandon(details() ?? name, after: limit) }
    }
}

/// Which steps did not end in time.
package final class ShutdownReport: Sendable {
    private let names = Mutex<[String]>([])
    private let log: Logger

    /// Makes a report without entries.
    package init(log: Logger) { self.log = log }

    /// True if threads of a part may still be running.
    package var hasLeftovers: Bool { names.withLock { !$0.isEmpty } }

    /// Notes that a part did not end in time, and says so.
    func abandon(_ name: String, after limit: Duration) {
        names.withLock { $0.append(name) }
        log.warning("\(name) did not finish within \(limit); shutting down without it")
    }
}
