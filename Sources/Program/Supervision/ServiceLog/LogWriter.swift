import Dispatch
import Glibc
import Synchronization

/// Hands lines of the log to where they are kept, on a thread of its own, so that a slow reader delays nothing else. No
/// more than `limit` bytes wait; records that find no room are lost, and `notice` says how many there were.
final class LogWriter: Sendable {
    private struct State {
        var waiting: [LogRecord] = []
        var size = 0
        var lost = 0
        var isWriting = false
    }

    private let destination: any LogDestination
    private let limit: Int
    private let notice: @Sendable (Int) -> LogRecord
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "segue.log")

    init(
        to destination: any LogDestination, limit: Int = 256 * 1024,
        notice: @escaping @Sendable (Int) -> LogRecord = { LogRecord(line: "\($0) log lines were lost\n") }
    ) {
        (self.destination, self.limit, self.notice) = (destination, limit, notice)
    }

    func write(_ record: LogRecord) {
        let size = record.line.utf8.count
        let begins = state.withLock { state in
            guard state.size + size <= limit else {
                state.lost += 1
                return false
            }
            state.waiting.append(record)
            state.size += size
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { queue.async { self.drain() } }
    }

    /// Waits until everything is written, but no longer than `patience`.
    func flush(within patience: Duration) {
        let end = ContinuousClock.now + patience
        while state.withLock({ $0.isWriting }), ContinuousClock.now < end { usleep(1_000) }
    }

    private func drain() {
        while let records = next() { destination.write(records) }
    }

    private func next() -> [LogRecord]? {
        state.withLock { state in
            guard !state.waiting.isEmpty || state.lost > 0 else {
                state.isWriting = false
                return nil
            }
            var records: [LogRecord] = []
            swap(&records, &state.waiting)
            if state.lost > 0 { records.append(notice(state.lost)) }
            (state.size, state.lost) = (0, 0)
            return records
        }
    }
}

/// A line of the log, and the same as fields.
struct LogRecord: Sendable, Equatable {
    var line: String
    /// The values that the journal of systemd stores with the line, by the names that `journalctl` filters by.
    var fields: [JournalField]

    init(line: String, fields: [JournalField] = []) { (self.line, self.fields) = (line, fields) }
}

/// A destination for lines of the log, which may block.
protocol LogDestination: Sendable {
    /// Writes records in their order; returns when they are written or can't be.
    func write(_ records: [LogRecord])
}

struct DescriptorLog: LogDestination {
    private let descriptor: CInt

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    func write(_ records: [LogRecord]) {
        var bytes: [UInt8] = []
        for record in records { bytes.append(contentsOf: record.line.utf8) }
        send(bytes)
    }

    private func send(_ bytes: [UInt8]) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                done += count
            } else if errno == EAGAIN {
                // Another program may have made the terminal or pipe that we share non-blocking.
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, 1_000)
            } else if errno != EINTR {
                return
            }
        }
    }
}
