package import Logging
import Synchronization

/// Collects what is logged, to see that it is there and holds no secret.
/// - Isolation: any.
package final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    /// Makes an empty collection.
    package init() {}

    /// Everything that was logged, down to the finest level: `level: message`, and the metadata where there are any.
    package var all: [String] { lines.withLock { $0 } }

    /// Adds a line that was written elsewhere.
    package func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// A logger that keeps its lines here.
    package var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(lines: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let details = event.metadata.map { " \($0)" } ?? ""
            lines.add("\(event.level): \(event.message)\(details)")
        }
    }
}
