public import NIOCore

/// Waits a second before the next connection is accepted when the system had no descriptor for one.
///
/// NIO's `AcceptBackoffHandler` only defers the next read. After an error the last one is still pending, so that the
/// loop would try again as fast as it can for as long as a client waits.
///
/// - Isolation: the event loop of its channel.
public final class AcceptPause: ChannelInboundHandler {
    /// Accepted connections.
    public typealias InboundIn = any Channel

    /// Makes one for a channel that listens.
    public init() {}

    /// Stops accepting for a second.
    public func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is IOError else { return context.fireErrorCaught(error) }
        let channel = context.channel
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        context.eventLoop.scheduleTask(in: .seconds(1)) { try? channel.syncOptions?.setOption(.autoRead, value: true) }
    }
}
