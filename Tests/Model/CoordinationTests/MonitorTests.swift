import Coordination
import Glibc
import Testing

@Suite struct MonitorTests {
    @Test("a thread that waits goes on as soon as the state is as it wants it")
    func updated() {
        let monitor = Monitor(0)
        let isStarted = BlockingThread.start("monitor") {
            for _ in 1...3 { monitor.update { $0 += 1 } }
        }
        #expect(isStarted)
        #expect(monitor.wait(milliseconds: 60_000) { $0 == 3 ? "three" : nil } == "three")
    }

    @Test("reading and changing without waking keeps the changes")
    func withoutWaking() {
        let monitor = Monitor([1])
        monitor.withLock { $0.append(2) }
        #expect(monitor.withLock { $0 } == [1, 2])
    }

    @Test("a wait ends with its time, and asks once more at the end")
    func timeIsOver() {
        let monitor = Monitor(0)
        let began = Monotonic.now
        let found: Int? = monitor.wait(milliseconds: 30) {
            $0 += 1
            return nil
        }
        #expect(found == nil && Monotonic.now - began >= .milliseconds(30))
        #expect(monitor.withLock { $0 } >= 2)
        #expect(monitor.wait(milliseconds: 0) { $0 >= 2 ? true : nil } == true)
    }

    @Test("a wait can name a moment at which it wants to be asked, without an update")
    func askedAgain() {
        let monitor = Monitor(())
        let moment = Monotonic.now + .milliseconds(20)
        let reached = monitor.wait(milliseconds: 60_000) { _, again -> Nanoseconds? in
            again = moment
            let now = Monotonic.now
            return now >= moment ? now : nil
        }
        #expect(reached.map { $0 - moment < .seconds(30) } == true)
    }

    @Test("lengths that no clock reaches wait without an end, and those before now not at all")
    func hugeLengths() {
        let monitor = Monitor(false)
        #expect(monitor.wait(milliseconds: .min) { $0 ? true : nil } == nil)
        let isStarted = BlockingThread.start("monitor") { monitor.update { $0 = true } }
        #expect(isStarted)
        #expect(monitor.wait(milliseconds: .max) { $0 ? true : nil } == true)
    }

    @Test("no change of four threads is lost, and each update wakes the thread that waits")
    func manyThreads() {
        let monitor = Monitor(0)
        for number in 1...4 {
            let isStarted = BlockingThread.start("monitor \(number)") {
                for _ in 1...10_000 { monitor.update { $0 += 1 } }
            }
            #expect(isStarted)
        }
        #expect(monitor.wait(milliseconds: 60_000) { $0 == 40_000 ? true : nil } == true)
    }
}
