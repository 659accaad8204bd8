import Dispatch
import Glibc
import Synchronization

/// Writes lines to a file descriptor on a thread of its own, so that a reader that takes nothing holds nobody up.
///
/// Lines wait in a bounded buffer; those that find it full are lost, and how many is said as soon as there is room.
package final class LogWriter: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var lost = 0
        var isWriting = false
    }

    private let descriptor: CInt
    private let limit: Int
    private let notice: @Sendable (Int) -> String
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "segue.log")

    /// Writes to `descriptor`, which stays open.
    ///
    /// - Parameters:
    ///   - limit: how many bytes may wait.
    ///   - notice: the line, with its end, that says how many lines were lost.
    package init(
        descriptor: CInt, limit: Int = 256 * 1024,
        notice: @escaping @Sendable (Int) -> String = { "\($0) lines of the log were lost\n" }
    ) {
        (self.descriptor, self.limit, self.notice) = (descriptor, limit, notice)
    }

    /// Hands a line, with its end, over to be written; returns at once.
    package func write(_ line: String) {
        let begins = state.withLock { state in
            guard state.waiting.count + line.utf8.count <= limit else {
                state.lost += 1
                return false
            }
            state.waiting.append(contentsOf: line.utf8)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { queue.async { self.drain() } }
    }

    /// Waits until everything is written, but no longer than `patience`.
    package func flush(within patience: Duration) {
        let end = ContinuousClock.now + patience
        while state.withLock({ $0.isWriting }), ContinuousClock.now < end { usleep(1_000) }
    }

    private func drain() {
        while let bytes = next() { send(bytes) }
    }

    private func next() -> [UInt8]? {
        state.withLock { state in
            guard !state.waiting.isEmpty || state.lost > 0 else {
                state.isWriting = false
                return nil
            }
            var bytes: [UInt8] = []
            swap(&bytes, &state.waiting)
            if state.lost > 0 { bytes.append(contentsOf: notice(state.lost).utf8) }
            state.lost = 0
            return bytes
        }
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
