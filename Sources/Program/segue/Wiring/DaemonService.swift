import Coordination
import Logging
import ServiceLifecycle
import Synchronization

/// One part of the server as the service group runs it: how it ends, and how long that may take.
struct DaemonService: Service, CustomStringConvertible {
    /// Its name in the log.
    let name: String
    /// How long its end may take; what takes longer is left behind.
    let limit: Duration
    /// What it does until it is cancelled.
    var work: @Sendable () async -> Void = {}
    /// What must happen after that.
    var end: @Sendable () async -> Void = {}
    /// Says more about what did not end.
    var details: @Sendable () -> String? = { nil }
    /// Takes note of parts that are left behind.
    let report: ShutdownReport

    var description: String { name }

    func run() async throws {
        let working = Task { await work() }
        // A part that has nothing more to do must not end the others; and a cancelled group is one that ends.
        try? await gracefulShutdown()
        working.cancel()
        let isDone: Bool? = await withTimeLimit(limit) {
            await working.value
            await end()
            return true
        }
        if isDone == nil { report.leaveBehind(details() ?? name, after: limit) }
    }
}

/// Services that only do something until they are cancelled, as one part, so that all of them end at the same time.
final class BackgroundWork: Sendable {
    private let items: [(name: String, run: @Sendable () async -> Void)]
    private let unfinished: Mutex<Set<String>>

    /// Names the services with what they do.
    init(_ items: [(name: String, run: @Sendable () async -> Void)]) {
        self.items = items
        unfinished = Mutex(Set(items.map(\.name)))
    }

    /// The names of those that have not ended.
    var unfinishedNames: [String] { unfinished.withLock { $0.sorted() } }

    /// Runs all of them until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            for item in items {
                group.addTask {
                    await item.run()
                    self.unfinished.withLock { _ = $0.remove(item.name) }
                }
            }
        }
    }
}

/// Which parts did not end in time.
final class ShutdownReport: Sendable {
    private let names = Mutex<[String]>([])
    private let log: Logger

    /// Makes a report without entries.
    init(log: Logger) { self.log = log }

    /// Whether threads of a part may still be running.
    var hasLeftovers: Bool { names.withLock { !$0.isEmpty } }

    /// Notes that a part did not end in time, and says so.
    func leaveBehind(_ name: String, after limit: Duration) {
        names.withLock { $0.append(name) }
        log.warning("\(name) did not end within \(limit); the end goes on without it")
    }
}
