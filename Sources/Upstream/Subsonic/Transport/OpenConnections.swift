import AsyncHTTPClient
import NIOCore
import Synchronization

/// The connections to a server that are open, so that those from an address that this machine lost can be closed.
final class OpenConnections: Sendable {
    /// Sits next to the network, beneath TLS and HTTP, where a connection ends without a farewell.
    private final class NetworkEnd: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
    }

    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    /// Remembers a connection until it closes.
    func note(_ channel: any Channel) -> EventLoopFuture<Void> {
        let name = ObjectIdentifier(channel)
        channels.withLock { $0[name] = channel }
        channel.closeFuture.whenComplete { _ in self.channels.withLock { $0[name] = nil } }
        return channel.pipeline.addHandler(NetworkEnd(), position: .first)
    }

    /// Closes those that begin at none of these addresses, and returns how many; calls over them fail at once.
    ///
    /// The other end can't hear it: TLS would wait five seconds for its answer to the farewell, and the call as long.
    func close(notFrom addresses: Set<String>) -> Int {
        let lost = channels.withLock { channels in
            channels.values.filter { $0.localAddress?.ipAddress.map { !addresses.contains($0) } ?? false }
        }
        for channel in lost {
            channel.eventLoop.execute {
                let end = try? channel.pipeline.syncOperations.context(handlerType: NetworkEnd.self)
                end?.close(mode: .all, promise: nil)
            }
        }
        return lost.count
    }
}

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
