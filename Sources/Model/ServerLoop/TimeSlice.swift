package import NIOCore

/// How long one piece of work may hold the event loop before its sockets are polled.
/// - Isolation: ServerActor, on whose loop the time passes.
@ServerActor
package struct TimeSlice {
    /// The longest slice. A client that asks meanwhile may have to wait for two of them, and for the command that the
    /// second one begins last: five milliseconds in all. A program in which time passes differently sets another before
    /// it begins its work, such as one that counts instructions: how often work pauses would depend on how fast the
    /// machine is at that moment.
    package static var length = TimeAmount.milliseconds(2)
    /// How long the work then pauses. A task that is due at once would run before the loop polls its sockets again.
    package static let pause = Duration.microseconds(50)

    private let start = NIODeadline.now()

    /// Begins a slice.
    package init() {}

    /// True if the loop should be given back.
    package var isOver: Bool { NIODeadline.now() - start >= Self.length }
}

extension ServerActor {
    /// Runs `body` on the loop after `delay`, in any case after what it does now.
    /// - Isolation: any.
    package static func after(_ delay: Duration, _ body: @escaping @ServerActor @Sendable () -> Void) {
        eventLoop.scheduleTask(in: TimeAmount(delay)) { assumeIsolated(body) }
    }
}
