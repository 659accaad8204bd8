import Logging
import NIOCore
package import ServerLoop

/// How often commands ran and how long they took, for those who watch the program.
@ServerActor
package final class CommandFigures {
    /// The upper bounds of the classes of durations, in seconds; a last class holds the rest.
    package nonisolated static let bounds = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

    /// How often each command ran, refused ones included.
    package private(set) var counts: [String: Int] = [:]
    /// How many took no longer than each bound and longer than the one before; the last took longer than all.
    package private(set) var classes = [Int](repeating: 0, count: CommandFigures.bounds.count + 1)
    /// How long all of them took together.
    package private(set) var total = Duration.zero

    private nonisolated static let limits = bounds.map { Duration.seconds($0) }

    init() {}

    func note(_ command: String, since start: ContinuousClock.Instant) {
        let duration = ContinuousClock.now - start
        counts[command, default: 0] += 1
        classes[Self.limits.firstIndex { duration <= $0 } ?? Self.limits.count] += 1
        total += duration
    }
}

/// Says in the log that the disk is full: when the first edit is refused, and once a minute as long as others are.
struct DiskReports {
    private static let interval = TimeAmount.minutes(1)
    private var last: NIODeadline?
    private var unsaid = 0

    /// Notes that an edit was refused; the message names the disk.
    mutating func note(_ message: String, logger: Logger) {
        let now = NIODeadline.now()
        if let last, now - last < Self.interval {
            unsaid += 1
            return
        }
        let before = unsaid == 0 ? "" : " (\(unsaid) more since the last line)"
        logger.error("edits are refused\(before): \(message)")
        (last, unsaid) = (now, 0)
    }
}
