package import NIOCore

/// How long the work of all clients together may hold the event loop, on `ServerActor`, before it polls its sockets:
/// the loop runs all that is ready before, so many clients would hold it for the sum of their slices. Work that is not
/// done in time waits in line, and one piece of it is let in each time that the loop has polled.
@ServerActor
package final class LoopShare {
    private var start = NIODeadline.now()
    private var lastBegin = NIODeadline.now()
    private var slice = 0
    private var waiting = CircularBuffer<CheckedContinuation<Void, Never>>()
    private var isLettingIn = false

    /// Makes the share of one loop.
    package init() {}

    /// Notes that a piece of work begins that a socket has brought, whose last slice had this number: where that is the
    /// present one, the loop has polled its sockets since, and the next one begins.
    @discardableResult
    package func begin(_ slice: inout Int) -> NIODeadline {
        let now = NIODeadline.now()
        if slice == self.slice || now - lastBegin >= TimeSlice.length { beginSlice(at: now) }
        slice = self.slice
        lastBegin = now
        return now
    }

    private func beginSlice(at time: NIODeadline) {
        slice &+= 1
        start = time
    }

    /// True if the loop should be given back.
    package var isOver: Bool { NIODeadline.now() - start >= TimeSlice.length }

    /// Lets the loop look after everybody else, and waits for a turn.
    package func giveLoopBack() async {
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            letIn()
        }
    }

    private func letIn() {
        guard !isLettingIn, !waiting.isEmpty else { return }
        isLettingIn = true
        ServerActor.after(TimeSlice.pause) { [self] in
            beginSlice(at: .now())
            waiting.removeFirst().resume()
            // Behind what was resumed: the pause for the next one begins when this one has left the loop.
            ServerActor.eventLoop.execute {
                ServerActor.assumeIsolated {
                    self.isLettingIn = false
                    self.letIn()
                }
            }
        }
    }
}
