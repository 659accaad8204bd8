import Coordination
import Glibc

/// Notices a thread that never rests: it runs, or waits for a processor, all the time.
struct ThreadLoad {
    private static let window: Nanoseconds = .milliseconds(500)
    /// This share of the time counts as all of it, on a machine that does other things as well.
    private static let all = 0.85
    /// With this many windows in a row it is no coincidence.
    private static let most = 3
    private var thread: Int32 = 0
    private var begun: Nanoseconds = .zero
    private var spent: Nanoseconds = .zero
    private var windows = 0

    /// True if the thread, by its number, has not rested for a while; `now` is on the monotonic clock.
    mutating func isRestless(
        _ thread: Int32, at now: Nanoseconds, timeOf: (Int32) -> Nanoseconds? = Self.time(of:)
    ) -> Bool {
        guard thread == self.thread else {
            (self.thread, begun, windows) = (thread, now, 0)
            spent = timeOf(thread) ?? .zero
            return false
        }
        guard thread != 0, now - begun >= Self.window else { return false }
        guard let time = timeOf(thread) else { return false }
        windows = (time - spent).ratio(to: now - begun) > Self.all ? windows + 1 : 0
        (begun, spent) = (now, time)
        return windows >= Self.most
    }

    /// How long the thread ran and waited for a processor; nil where the system doesn't say.
    /// - Source: Linux, Documentation/scheduler/sched-stats.rst, "/proc/<pid>/schedstat".
    static func time(of thread: Int32) -> Nanoseconds? {
        let file = open("/proc/self/task/\(thread)/schedstat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let text = withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
            String(decoding: buffer[..<max(0, read(file, buffer.baseAddress, buffer.count))], as: UTF8.self)
        }
        let numbers = text.split(separator: " ").prefix(2).compactMap { Int64($0) }
        return numbers.count == 2 ? Nanoseconds(count: numbers[0]) + Nanoseconds(count: numbers[1]) : nil
    }
}
