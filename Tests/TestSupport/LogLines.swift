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

/// Waits until a condition holds, looking every few milliseconds.
///
/// - Returns: whether it came to hold within the time.
public func eventually(within limit: Duration = .seconds(10), _ condition: () async -> Bool) async -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return await condition()
}
