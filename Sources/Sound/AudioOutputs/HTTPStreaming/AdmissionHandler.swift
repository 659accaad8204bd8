import NIOCore
import NetworkAddresses

/// The door: closes connections beyond the limits unanswered, and those whose request is too long.
///
/// - Isolation: the server's event loop.
final class AdmissionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let audience: Audience
    /// Where the client is, once it was let in.
    private var address: String?
    /// Hands the stream on to a listener that is counted elsewhere.
    private var isRelay = false
    private var received = 0

    init(_ audience: Audience) { self.audience = audience }

    func channelActive(context: ChannelHandlerContext) {
        let address = Self.household(context.remoteAddress?.ipAddress ?? "")
        guard audience.admits(address) else { return context.close(promise: nil) }
        self.address = address
        audience.connected(address)
        context.fireChannelActive()
    }

    /// By what clients are counted: an address or, with IPv6, the network of 64 bits that one household has.
    private static func household(_ address: String) -> String {
        guard let household = IPAddress(address)?.household, household.count < 16 else { return address }
        return household.description
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let address { audience.disconnected(address, isRelay: isRelay) }
        address = nil
        context.fireChannelInactive()
    }

    /// Decides about the connection when it has asked; whether it may stay.
    func asked(isRelay: Bool) -> Bool {
        guard let address else { return false }
        self.isRelay = isRelay
        return audience.asked(from: address, isRelay: isRelay)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard address != nil else { return }
        received = min(received + unwrapInboundIn(data).readableBytes, .max / 2)
        // A listener has nothing more to say, either.
        guard received <= audience.settings.maxRequestLength else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }
}
