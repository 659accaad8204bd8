import NIOCore
import ServerLoop
import Synchronization
import Testing

/// Counts where lists are freed.
private final class Places: Sendable {
    let onLoop = Atomic(0)
    let elsewhere = Atomic(0)

    var all: Int { onLoop.load(ordering: .relaxed) + elsewhere.load(ordering: .relaxed) }
}

private final class Witness: Sendable {
    private let places: Places

    init(_ places: Places) { self.places = places }

    deinit {
        if ServerActor.eventLoop.inEventLoop {
            places.onLoop.add(1, ordering: .relaxed)
        } else {
            places.elsewhere.add(1, ordering: .relaxed)
        }
    }
}

@Suite("Freeing beside the loop")
@ServerActor
struct ReleaseOffLoopTests {
    /// Often enough that the other thread is the quicker one now and then.
    private static let times = 20_000

    @Test("what is handed over is never freed on the loop, however quick the other thread is")
    func freesElsewhere() async {
        let places = Places()
        for _ in 0..<Self.times {
            let list = [Witness(places)]
            ServerActor.releaseOffLoop(consume list)
        }
        while places.all < Self.times { await Task.yield() }
        #expect(places.onLoop.load(ordering: .relaxed) == 0)
    }

    @Test("what a holder holds is never freed on the loop, whichever thread lets go of the holder")
    func holderFreesElsewhere() async {
        let places = Places()
        for _ in 0..<Self.times {
            let holder = ReleasedOffLoop([Witness(places)])
            #expect(holder.value.count == 1)
        }
        while places.all < Self.times { await Task.yield() }
        #expect(places.onLoop.load(ordering: .relaxed) == 0)
    }
}
