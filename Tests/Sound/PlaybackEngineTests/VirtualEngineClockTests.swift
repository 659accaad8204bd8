import Coordination
import SoundSamples
import Synchronization
import Testing

@Suite("A clock that tests move", .timeLimit(.minutes(1)))
struct VirtualEngineClockTests {
    private let clock = VirtualEngineClock()

    @Test("time stands still until the test lets it go on, and threads wake at their moments, in order")
    func order() async {
        let begin = clock.now
        let woken = Mutex<[(Int, Nanoseconds)]>([])
        for number in 1...3 {
            let isStarted = clock.startThread("sleeper") { [clock] in
                for _ in 0..<2 {
                    clock.sleep(for: .milliseconds(100 * number))
                    woken.withLock { $0.append((number, clock.now - begin)) }
                }
            }
            #expect(isStarted)
        }
        #expect(clock.now == begin)
        #expect(await clock.eventually { woken.withLock { $0.count } == 6 })
        let order = woken.withLock { $0 }
        #expect(order.map(\.1) == [100, 200, 200, 300, 400, 600].map { .milliseconds($0) })
        #expect(order.map(\.0).sorted() == [1, 1, 2, 2, 3, 3] && order[0].0 == 1 && order[5].0 == 3)
    }

    @Test("it goes on exactly as far as it is let, also where nobody waits")
    func passes() async {
        let begin = clock.now
        await clock.pass(.milliseconds(1234))
        #expect(clock.now - begin == .milliseconds(1234))
    }

    @Test("a thread that is told something goes on at once, and time waits for its work")
    func news() async {
        let state = Monitor((orders: 0, done: 0))
        let begin = clock.now
        let isStarted = clock.startThread("worker") { [clock] in
            while true {
                let order = state.wait(milliseconds: 3_600_000, by: clock) { state -> Int? in
                    guard state.orders > state.done else { return nil }
                    return state.orders
                }
                guard let order, order < 100 else { return }
                state.withLock { $0.done = order }
            }
        }
        #expect(isStarted)
        for order in 1...20 {
            state.update { $0.orders = order }
            await clock.pass(.zero)
            #expect(state.withLock { $0.done } == order)
        }
        #expect(clock.now == begin)
        state.update { $0.orders = 100 }
    }

    @Test("a wait is over when its time has passed, and not before")
    func timeOut() async {
        let state = Monitor(false)
        let ends = Mutex<Nanoseconds?>(nil)
        let begin = clock.now
        let isStarted = clock.startThread("waiter") { [clock] in
            _ = state.wait(milliseconds: 250, by: clock) { $0 ? true : nil }
            ends.withLock { $0 = clock.now - begin }
        }
        #expect(isStarted)
        await clock.pass(.milliseconds(249))
        #expect(ends.withLock { $0 } == nil)
        await clock.pass(.milliseconds(1))
        #expect(ends.withLock { $0 } == .milliseconds(250))
    }
}
