import Synchronization

/// Collects what is logged, to be searched for secrets.
package final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    /// Makes an empty collection.
    package init() {}

    /// Everything that was logged, one line each.
    package var all: [String] { lines.withLock { $0 } }

    /// Adds a line.
    package func add(_ line: String) { lines.withLock { $0.append(line) } }
}
