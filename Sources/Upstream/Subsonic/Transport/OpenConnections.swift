import NIOCore
import Synchronization

/// The connections to a server that are open, so that those from an address that this machine lost can be closed.
///
/// - Isolation: any.
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
