import Logging
package import NIOCore

/// A stream without a socket, for connections that are made by hand: the fuzzer's.
///
/// - Isolation: the event loop of its connections.
package final class StreamDoor {
    private let audience: Audience

    /// Opens a stream that lets listeners in.
    package init(_ settings: HTTPStreamServer.Settings) {
        audience = Audience(settings, count: ListenerCount(), log: Logger(label: "stream"))
        audience.open()
    }

    /// Prepares a connection as the server does.
    ///
    /// - Throws: what the channel says where it takes no handlers.
    package func connect(_ channel: any Channel) throws { try audience.addHandlers(to: channel) }

    /// Sends bytes to all that listen.
    package func send(_ bytes: [UInt8], isHeader: Bool) { audience.send(bytes, isHeader: isHeader) }

    /// Says what plays.
    package func setTitle(_ title: String) { audience.setTitle(title) }

    /// Ends the stream.
    package func hangUp() { audience.hangUp() }
}
