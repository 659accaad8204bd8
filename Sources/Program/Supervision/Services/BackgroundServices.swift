import Synchronization

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

    /// The names of those that have not ended.
    var unfinishedNames: [String] { unfinished.withLock { $0.sorted() } }

    /// Runs all of them until the task is cancelled.
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
