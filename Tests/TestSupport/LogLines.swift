import Synchronization

/// Collects what is logged, to be searched for secrets.
public final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    /// Makes an empty collection.
    public init() {}

    /// Everything that was logged, one line each.
    public var all: [String] { lines.withLock { $0 } }

    /// Adds a line.
    public func add(_ line: String) { lines.withLock { $0.append(line) } }
}
