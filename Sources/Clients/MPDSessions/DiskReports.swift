import Logging
import NIOCore

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
