import Coordination
import TestSupport
import Testing

@Suite struct TimeLimitTests {
    @Test("work that is done in time gives its value")
    func inTime() async {
        #expect(await withTimeLimit(.seconds(60)) { 7 } == 7)
    }

    @Test("work that takes too long is cancelled, and the caller goes on without it")
    func tooLong() async throws {
        let clock = VirtualClock()
        let (ends, end) = AsyncStream<Bool>.makeStream()
        let value = Task {
            await withTimeLimit(.seconds(10), clock: clock) {
                try? await Task.sleep(for: .seconds(3600))
                end.yield(Task.isCancelled)
                return 7
            }
        }
        #expect(try await clock.passPause() == .seconds(10))
        #expect(await value.value == nil)
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == true)
    }

    @Test("work that ignores its cancellation delays no one")
    func stubborn() async throws {
        let clock = VirtualClock()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let stubborn = Task.detached {
            for await _ in gate { break }
        }
        let value = Task { await withTimeLimit(.seconds(10), clock: clock) { await stubborn.value } }
        try await clock.passPause()
        #expect(await value.value == nil)
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
