import ServiceLifecycle

/// One part of the server as the service group runs it: what it does, and how it ends.
struct DaemonService: Service, CustomStringConvertible {
    /// Its name in the log.
    let description: String
    /// What it does until its task is cancelled.
    let work: @Sendable () async throws -> Void
    /// What must happen after that.
    let end: @Sendable () async -> Void

    /// Names a part; one without `work` just waits for its end.
    init(
        _ name: String, work: @escaping @Sendable () async throws -> Void = {},
        end: @escaping @Sendable () async -> Void = {}
    ) {
        description = name
        self.work = work
        self.end = end
    }

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                try await work()
                // A part that has nothing more to do must not end the others.
                try await Task.sleep(for: .seconds(365 * 24 * 3600))
            }
        } catch is CancellationError {
            // The usual end.
        }
        await end()
    }
}
