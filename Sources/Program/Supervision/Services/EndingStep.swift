import Coordination
package import Logging
import ServiceLifecycle
import Synchronization

/// One step of the server's end as the service group runs it: what ends, and how long that may take. A service group
/// ends its services one after the other, in their order.
package struct EndingStep: Service, CustomStringConvertible {
    private let name: String
    private let limit: Duration
    private let work: @Sendable () async -> Void
    private let end: @Sendable () async -> Void
    private let details: @Sendable () -> String?
    private let report: ShutdownReport

    /// Names a step. One that takes longer than its limit is left behind, which the report notes, and the next one
    /// begins.
    package init(
        _ name: String, limit: Duration, report: ShutdownReport, end: @escaping @Sendable () async -> Void
    ) {
        (self.name, self.limit, self.report, self.end) = (name, limit, report, end)
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

/// Work in the background, from the start of the server to its end.
package struct BackgroundService: Sendable {
    /// Its name in the log, where it does not end in time.
    package let name: String
    /// Runs until its task is cancelled; one that comes back earlier has nothing more to do.
    package let run: @Sendable () async -> Void

    /// Names the work.
    package init(_ name: String, run: @escaping @Sendable () async -> Void) {
        self.name = name
        self.run = run
    }
}

/// The server's background services, which begin and end together.
package final class BackgroundServices: Sendable {
    private let services: [BackgroundService]
    private let unfinished: Mutex<Set<String>>

    /// Collects them; those that are nil have nothing to do in this configuration.
    package init(_ services: [BackgroundService?]) {
        self.services = services.compactMap { $0 }
        unfinished = Mutex(Set(self.services.map(\.name)))
    }

    var unfinishedNames: [String] { unfinished.withLock { $0.sorted() } }

    func run() async {
        await withTaskGroup(of: Void.self) { group in
            for service in services {
                group.addTask {
                    await service.run()
                    self.unfinished.withLock { _ = $0.remove(service.name) }
                }
            }
        }
    }
}
