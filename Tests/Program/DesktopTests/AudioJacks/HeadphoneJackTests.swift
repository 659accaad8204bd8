import Logging
import TestSupport
import Testing

@testable import Desktop

@Suite("Jacks for headphones", .enabled(if: testsEverything))
struct HeadphoneJackTests {
    @Test(
        "the controls of headphones and headsets are told from others",
        arguments: [
            ("Headphone Jack", true), ("Front Headphone Jack", true), ("Headset Mic Jack", true),
            ("Headphone Playback Switch", false), ("Mic Jack", false), ("Headphone Phantom Jack", false), ("", false),
        ])
    func names(name: String, isHeadphones: Bool) {
        #expect(HeadphoneJack.isNamed(by: name) == isHeadphones)
    }

    @Test("a watch ends with its task, also on a machine without such a jack", .timeLimit(.minutes(1)))
    func ending() async {
        let task = Task { await HeadphoneWatch(log: Logger(label: "test")).run {} }
        task.cancel()
        await task.value
    }
}
