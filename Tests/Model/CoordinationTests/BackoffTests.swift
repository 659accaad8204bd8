import Coordination
import Testing

@Suite("Growing pauses")
struct BackoffTests {
    @Test("Each failure in a row doubles the pause, up to the longest")
    func doubles() {
        let backoff = Backoff(.seconds(5) ... .seconds(60))
        #expect((0...6).map { backoff.pause(after: $0) } == [5, 5, 10, 20, 40, 60, 60].map { .seconds($0) })
        #expect(backoff.pause(after: .max) == .seconds(60))
        #expect(backoff.pause(after: .min) == .seconds(5))
    }
}
