import Coordination
import Synchronization
import TestSupport
import Testing

@Suite struct AlarmTests {
    @Test("a ring wakes the task that waits")
    func ringWakes() async {
        let alarm = Alarm()
        let waiting = Task { await alarm.wait() }
        alarm.ring()
        await waiting.value
    }

    @Test("a ring while nothing waits is kept for the next wait, and several count as one")
    func ringsAreKept() async throws {
        let clock = VirtualClock()
        let alarm = Alarm(clock: clock)
        alarm.ring()
        alarm.ring()
        await alarm.wait()
        let next = Task { await alarm.wait(atMost: .seconds(20)) }
        #expect(try await clock.passPause() == .seconds(20))
        await next.value
    }

    @Test("a wait ends when its time is over, and its timer doesn't end the next one")
    func timeIsOver() async throws {
        let clock = VirtualClock()
        let alarm = Alarm(clock: clock)
        let first = Task { await alarm.wait(atMost: .seconds(5)) }
        #expect(try await clock.passPause() == .seconds(5))
        await first.value
        alarm.ring()
        await alarm.wait(atMost: .seconds(5))
        let isOver = Atomic(false)
        let third = Task {
            await alarm.wait(atMost: .seconds(40))
            isOver.store(true, ordering: .relaxed)
        }
        try await eventually("the last pause alone") { clock.sleeperCount == 1 }
        clock.pass(.seconds(39))
        let isEarly = isOver.load(ordering: .relaxed)
        #expect(!isEarly)
        #expect(try await clock.passPause() == .seconds(1))
        await third.value
    }

    @Test("a wait ends with its task, whether it is cancelled before or meanwhile")
    func cancelled() async {
        let alarm = Alarm()
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await alarm.wait()
        }
        await early.value
        let late = Task { await alarm.wait() }
        await Task.yield()
        late.cancel()
        await late.value
    }

    @Test("a thousand rings from many tasks lose no work")
    func manyRings() async {
        let alarm = Alarm()
        let work = AsyncStream<Int>.makeStream()
        let done = Task {
            var seen = 0
            var values = work.stream.makeAsyncIterator()
            while seen < 1_000 {
                await alarm.wait()
                while seen < 1_000, await values.next() != nil { seen += 1 }
            }
            return seen
        }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    work.continuation.yield(number)
                    alarm.ring()
                }
            }
        }
        #expect(await done.value == 1_000)
    }
}
