import AsyncHTTPClient
import NIOCore

extension HTTPClient.Configuration {
    /// How long what was sent may stay without acknowledgement, in milliseconds.
    private static let maxSilence = 8_000
    /// The idle seconds after which the other end is asked whether it is still there, and how often then.
    private static let (idle, interval) = (10, 4)

    /// Has the system give up connections whose other end is gone without a word: after a suspend, or with a cable that
    /// was pulled. It would try for a quarter of an hour, and calls wait a minute for an answer. Connections
    /// of an address that this machine lost don't wait for that: `open` remembers them all.
    mutating func noticeDeadConnections(_ open: OpenConnections) {
        let prepare: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            let options: [(NIOBSDSocket.OptionLevel, NIOBSDSocket.Option, Int)] = [
                (.socket, .so_keepalive, 1), (.tcp, .keepAliveIdle, Self.idle),
                (.tcp, .keepAliveInterval, Self.interval), (.tcp, .keepAliveCount, 2),
                (.tcp, .userTimeout, Self.maxSilence),
            ]
            let set = options.map { level, option, value in
                channel.setOption(ChannelOptions.Types.SocketOption(level: level, name: option), value: .init(value))
            }
            // Where a system lacks one of them, connections work all the same.
            return EventLoopFuture.whenAllComplete(set, on: channel.eventLoop).flatMap { _ in open.note(channel) }
        }
        http1_1ConnectionDebugInitializer = prepare
        http2ConnectionDebugInitializer = prepare
    }
}

/// Options of Linux, from `linux/tcp.h`.
extension NIOBSDSocket.Option {
    fileprivate static let keepAliveIdle = NIOBSDSocket.Option(rawValue: 4)
    fileprivate static let keepAliveInterval = NIOBSDSocket.Option(rawValue: 5)
    fileprivate static let keepAliveCount = NIOBSDSocket.Option(rawValue: 6)
    fileprivate static let userTimeout = NIOBSDSocket.Option(rawValue: 18)
}
