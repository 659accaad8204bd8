import Coordination
import Synchronization
import Testing

@Suite struct SerialTasksTests {
    @Test("work runs one piece after the other, in its order")
    func order() async {
        let tasks = SerialTasks()
        let seen = Mutex<[Int]>([])
        for number in 0..<100 {
            tasks.add {
                await Task.yield()
                seen.withLock { $0.append(number) }
            }
        }
        await tasks.finish()
        #expect(seen.withLock { $0 } == Array(0..<100))
    }

    @Test("finishing with nothing to do comes back at once")
    func nothing() async {
        let tasks = SerialTasks()
        await tasks.finish()
        await tasks.add {}.value
        await tasks.finish()
    }
}
