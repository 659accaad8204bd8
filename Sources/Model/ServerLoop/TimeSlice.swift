package import NIOCore

/// How long one piece of work may hold the event loop before its sockets are polled.
@ServerActor
package struct TimeSlice {
    /// The longest slice; a client may wait for two and a command: five milliseconds. Counters of instructions set
    /// another.
    package static var length = TimeAmount.milliseconds(2)
    /// How long the work then pauses. A task that is due at once would run before the loop polls its sockets again.
    package static let pause = Duration.microseconds(50)

    private let start = NIODeadline.now()

    /// Begins a slice.
    package init() {}

    /// True if the loop should be given back.
    package var isOver: Bool { NIODeadline.now() - start >= Self.length }
}
