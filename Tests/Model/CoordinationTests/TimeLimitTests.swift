import Coordination
import Testing

@Suite struct TimeLimitTests {
    @Test("work that is done in time gives its value")
    func inTime() async {
        #expect(await withTimeLimit(.seconds(60)) { 7 } == 7)
    }

    @Test("work that takes too long is cancelled, and the caller goes on without it")
    func tooLong() async {
        let (ends, end) = AsyncStream<Bool>.makeStream()
        let value: Int? = await withTimeLimit(.milliseconds(10)) {
            try? await Task.sleep(for: .seconds(3600))
            end.yield(Task.isCancelled)
            return 7
        }
        #expect(value == nil)
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == true)
    }

    @Test("work that ignores its cancellation delays no one")
    func stubborn() async {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let stubborn = Task.detached {
            for await _ in gate { break }
        }
        let value: Void? = await withTimeLimit(.milliseconds(10)) { await stubborn.value }
        #expect(value == nil)
        open.yield()
        await stubborn.value
    }

    @Test("the caller's cancellation reaches the work")
    func callerCancelled() async {
        let caller = Task {
            await withTimeLimit(.seconds(3600)) {
                try? await Task.sleep(for: .seconds(3600))
                return Task.isCancelled
            }
        }
        caller.cancel()
        #expect(await caller.value == true)
    }
}
