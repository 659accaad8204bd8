package import NIOCore

/// How long the work of all clients together may hold the event loop before the loop polls its sockets again. The loop
/// runs everything that is ready before it polls them: many clients that each keep to a slice of their own would hold
/// it for the sum of these. So there is one slice for all of them. Work that is not done when it is over waits in line,
/// and one piece of it is let in each time that the loop has polled its sockets.
/// - Isolation: ServerActor, on whose loop the time passes.
@ServerActor
package final class LoopShare {
    private var start = NIODeadline.now()
    private var lastBegin = NIODeadline.now()
    private var slice = 0
    private var waiting = CircularBuffer<CheckedContinuation<Void, Never>>()
    private var isLettingIn = false

    /// Makes the share of one loop.
    package init() {}

    /// Notes that a piece of work begins that a socket has brought.
    /// - Parameter slice: the number of the slice in which the same socket brought something last. Where that is the
    ///   present one, the loop has polled its sockets since it began, and the next one begins.
    /// - Returns: the time.
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
