import Coordination
import Glibc
import Synchronization
import Testing

@testable import GStreamerAudio

@Suite("How busy a thread is")
struct ThreadLoadTests {
    /// A thread that runs in circles, or rests, until it is told to end.
    private final class Worker: Sendable {
        let number = Mutex<Int32>(0)
        let isOver = Mutex(false)

        init(rests: Bool) {
            _ = BlockingThread.start("worker") {
                self.number.withLock { $0 = Self.current }
                while !self.isOver.withLock(\.self) { if rests { usleep(1_000) } }
            }
            while number.withLock(\.self) == 0 { usleep(1_000) }
        }

        /// The system's number of the calling thread, from a link such as `12/task/34`.
        private static var current: Int32 {
            var path = [CChar](repeating: 0, count: 64)
            let length = max(0, readlink("/proc/thread-self", &path, path.count))
            let text = String(decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return text.split(separator: "/").last.flatMap { Int32($0) } ?? 0
        }

        /// Whether it is found restless within so many looks, half a second of its time apart.
        func isRestless(looks: Int) -> Bool {
            var load = ThreadLoad()
            let thread = number.withLock(\.self)
            for _ in 0..<looks {
                if load.isRestless(thread, at: Monotonic.now) { return true }
                usleep(510_000)
            }
            return false
        }
    }

    @Test("a thread that runs in circles is noticed within two seconds, one that rests between its work is not")
    func circles() {
        let busy = Worker(rests: false)
        defer { busy.isOver.withLock { $0 = true } }
        let calm = Worker(rests: true)
        defer { calm.isOver.withLock { $0 = true } }
        // A moment in which the whole system stands still begins the count anew.
        #expect(busy.isRestless(looks: 20))
        busy.isOver.withLock { $0 = true }
        #expect(!calm.isRestless(looks: 5))
    }

    @Test("where there is no thread, nothing is busy")
    func none() {
        var load = ThreadLoad()
        for second in 0..<5 {
            let isRestless = load.isRestless(0, at: .seconds(second))
            #expect(!isRestless)
        }
        #expect(ThreadLoad.time(of: 0) == nil)
    }
}
