import Coordination
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
    func ringsAreKept() async {
        let alarm = Alarm()
        alarm.ring()
        alarm.ring()
        await alarm.wait()
        let start = ContinuousClock.now
        await alarm.wait(atMost: .milliseconds(20))
        #expect(ContinuousClock.now - start >= .milliseconds(20))
    }

    @Test("a wait ends when its time is over, and its timer doesn't end the next one")
    func timeIsOver() async {
        let alarm = Alarm()
        await alarm.wait(atMost: .milliseconds(5))
        alarm.ring()
        await alarm.wait(atMost: .milliseconds(5))
        let start = ContinuousClock.now
        await alarm.wait(atMost: .milliseconds(40))
        #expect(ContinuousClock.now - start >= .milliseconds(40))
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
