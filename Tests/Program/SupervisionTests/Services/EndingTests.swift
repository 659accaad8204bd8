import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import Supervision

@Suite("The end of the server")
struct EndingTests {
    /// Notes in which order things happened.
    private final class Notes: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    /// A service that ends the group as soon as it runs.
    private struct Over: Service { func run() async throws {} }

    private let report = ShutdownReport(log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })

    private func runAndEnd(_ steps: [EndingStep]) async throws {
        let services = steps.reversed() + [Over() as any Service]
        try await ServiceGroup(
            configuration: .init(
                services: services.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        ).run()
    }

    @Test("steps are carried out in the order in which they are listed, each after the one before it")
    func order() async throws {
        let notes = Notes()
        let steps = ["save", "close", "release"].map { name in
            EndingStep(name, limit: .seconds(10), report: report) {
                await Task.yield()
                notes.add(name)
            }
        }
        try await runAndEnd(steps)
        #expect(notes.all == ["save", "close", "release"])
        #expect(!report.hasLeftovers)
    }

    @Test("a step that hangs is left behind and named, and the next ones are carried out")
    func hanging() async throws {
        let notes = Notes()
        let (endless, continuation) = AsyncStream.makeStream(of: Void.self)
        try await runAndEnd([
            EndingStep("hang", limit: .milliseconds(20), report: report) {
                // Only the test ends it: cancellation does not.
                await Task { for await _ in endless {} }.value
            },
            EndingStep("save", limit: .seconds(10), report: report) { notes.add("saved") },
        ])
        continuation.finish()
        #expect(notes.all == ["saved"])
        #expect(report.hasLeftovers)
    }

    @Test("background services run at the same time and are cancelled together; those that are done are not named")
    func background() async throws {
        let notes = Notes()
        let (started, continuation) = AsyncStream.makeStream(of: Void.self)
        let services = BackgroundServices([
            BackgroundService("done") { notes.add("done") },
            nil,
            BackgroundService("waits") {
                continuation.yield()
                try? await Task.sleep(for: .seconds(3600))
                notes.add("cancelled")
            },
        ])
        #expect(services.unfinishedNames == ["done", "waits"])
        let running = Task { await services.run() }
        for await _ in started { break }
        running.cancel()
        await running.value
        #expect(notes.all.sorted() == ["cancelled", "done"])
        #expect(services.unfinishedNames == [])
    }

    @Test("a part that was missing ends the others once it is there, and the log says once what else is missing")
    func missing() async throws {
        let looks = Mutex(0)
        let notes = Notes()
        let log = Logger(label: "test") { _ in NotingLog(notes) }
        let wait = MissingPartWait(after: "no login", interval: .milliseconds(1), log: log) {
            looks.withLock { looks in
                looks += 1
                return looks == 1 ? "no login" : looks < 4 ? "no address" : nil
            }
        }
        #expect(!wait.isOver)
        try await wait.run()
        #expect(wait.isOver && looks.withLock { $0 } == 4)
        #expect(notes.all == ["no address"])
    }

    /// Keeps the lines of a log.
    private struct NotingLog: LogHandler {
        let notes: Notes
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]

        init(_ notes: Notes) { self.notes = notes }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { notes.add("\(event.message)") }
    }
}
