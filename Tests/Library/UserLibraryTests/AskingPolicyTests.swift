import Testing
import UserLibrary

@Suite("When the server is asked once more")
struct AskingPolicyTests {
    @Test(
        "an answer is known for a day, and not when it is of the future",
        arguments: [
            Int64(1_000_000): true, 1_000_000 - 86_399: true, 1_000_000 - 86_400: false, 1_000_001: false,
            .min: false, .max: false,
        ])
    func days(asked: Int64, isKnown: Bool) {
        #expect(AskingPolicy { 1_000_000 }.isKnown(since: asked) == isKnown)
    }

    @Test("a server that failed is left alone")
    func failures() {
        var policy = AskingPolicy()
        #expect(policy.mayAsk)
        policy.failed()
        #expect(!policy.mayAsk)
    }
}
