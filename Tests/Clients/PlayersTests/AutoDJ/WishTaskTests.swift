import ServerLoop
import Testing

@testable import Players

@Suite("The wish that is being read")
@ServerActor
struct WishTaskTests {
    /// What ran, in its order.
    @ServerActor
    private final class Diary {
        var lines: [String] = []
        var running = 0
        var most = 0

        /// Stands for a request that takes until it is cancelled.
        func ask(_ name: String) async {
            running += 1
            most = max(most, running)
            lines.append("begin \(name)")
            try? await Task.sleep(for: .seconds(600))
            // Servers and connections take their time to notice.
            await Task.yield()
            lines.append("end \(name)")
            running -= 1
        }
    }

    @Test("a newer one replaces it, one at a time, and those between never begin")
    func replacing() async throws {
        let (diary, wish) = (Diary(), WishTask())
        wish.replace { await diary.ask("first") }
        while diary.lines.isEmpty { await Task.yield() }
        for number in 0..<100 { wish.replace { await diary.ask("\(number)") } }
        let isDone = AsyncStream<Void>.makeStream()
        wish.replace {
            diary.lines.append("last")
            isDone.continuation.finish()
        }
        for await _ in isDone.stream {}
        #expect(diary.lines == ["begin first", "end first", "last"] && diary.most == 1)
        while wish.isRunning { await Task.yield() }
        #expect(!wish.cancel())
    }

    @Test("can be cancelled, and another one comes afterwards")
    func cancelling() async {
        let (diary, wish) = (Diary(), WishTask())
        #expect(!wish.isRunning && !wish.cancel())
        wish.replace { await diary.ask("first") }
        #expect(wish.isRunning && wish.cancel() && !wish.isRunning && !wish.cancel())
        wish.replace { diary.lines.append("second") }
        while wish.isRunning { await Task.yield() }
        #expect(diary.lines == ["second"])
    }
}
