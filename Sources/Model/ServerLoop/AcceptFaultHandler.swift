import Glibc
package import Logging
package import NIOCore

/// Pauses for a second when no client can be accepted, since a waiting one wakes the loop at once, and says so.
package final class AcceptFaultHandler: ChannelInboundHandler {
    /// Accepted connections, which are handed on.
    package typealias InboundIn = Any

    private let logger: Logger
    private var lastSaid: NIODeadline?

    /// Makes one that logs to `logger`.
    package init(logger: Logger) { self.logger = logger }

    /// Pauses when the error is that of a machine without room.
    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let code = (error as? IOError)?.errnoCode, [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(code) {
            say(code)
            pause(context.channel)
        }
        context.fireErrorCaught(error)
    }

    private func pause(_ channel: any Channel) {
        channel.setOption(.autoRead, value: false).whenSuccess {
            channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.setOption(.autoRead, value: true) }
        }
    }

    private func say(_ code: Int32) {
        let now = NIODeadline.now()
        if let lastSaid, now - lastSaid < .minutes(1) { return }
        lastSaid = now
        let cure =
            switch code {
            case EMFILE: "the process is out of descriptors. Raise its limit (LimitNOFILE= of systemd, ulimit -n)."
            case ENFILE: "the system is out of descriptors. Raise fs.file-max, or end other programs."
            default: "the system is out of memory for sockets (\(String(cString: strerror(code))))."
            }
        logger.error("new clients have to wait: \(cure)")
    }
}
