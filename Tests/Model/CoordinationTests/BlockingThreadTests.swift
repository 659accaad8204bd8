import Coordination
import Foundation
import Testing

@Suite("Threads for work that blocks")
struct BlockingThreadTests {
    @Test("The work runs on a thread that has the name's first 15 bytes")
    func name() async {
        let name = await withCheckedContinuation { (found: CheckedContinuation<String?, Never>) in
            let isStarted = BlockingThread.start("music in the kitchen") {
                found.resume(returning: try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8))
            }
            #expect(isStarted)
        }
        #expect(name == "music in the ki\n")
    }
}
