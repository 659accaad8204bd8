import Coordination
package import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NetworkAddresses
package import Outputs
import ServerLoop

/// Sends one endless stream of bytes to all clients that ask for it over HTTP.
///
/// Everyone gets the stream's header first, then what is sent from then on. Listeners that stop reading are
/// disconnected.
/// - Isolation: any thread that may wait, but not an event loop's.
package final class HTTPStreamServer: Sendable {
    /// How the stream is served.
    package struct Settings: Sendable {
        /// The stream's name, as `icy-name`.
        package var name: String
        /// The type of the bytes.
        package var contentType: String
        /// The output's settings: where it listens, and who may.
        package var output = HTTPOutputSettings()
        /// Puts titles between the bytes for clients that ask for it with `Icy-MetaData: 1`.
        package var hasTitlesBetween = true
        /// Bytes that may wait for a listener before it is disconnected.
        var backlog = 262_144
        /// Hears how many listen when that changes; on the server's event loop, so it may not wait.
        package var listenersChanged: (@Sendable (Int) -> Void)?
        /// How long a client may take to ask, in seconds.
        var patience: Int64 = 15
        /// How many bytes a client may ask with.
        let maxRequestLength = 16_384

        /// Describes a stream at a free port.
        package init(name: String, contentType: String) {
            self.name = name
            self.contentType = contentType
            output.port = 0
        }

        var names: OwnNames { OwnNames(output.hosts) }
    }

    /// The port that it listens at.
    package let port: Int
    /// The loop of all streams. One for each would end the process where the system gives no more threads.
    private static let loop: any EventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    private let channel: any Channel
    private let audience: NIOLoopBoundBox<Audience>
    private let count = Monitor(0)

    /// Starts to listen; until `open` everyone is told that nothing plays.
    /// - Throws: the system's error when the address can't be used.
    package init(_ settings: Settings, log: Logger) throws {
        let audience = NIOLoopBoundBox<Audience>.makeBoxSendingValue(
            Audience(settings, count: count, log: log), eventLoop: Self.loop)
        let bootstrap = ServerBootstrap(group: Self.loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptFaultHandler(logger: log))
                }
            }
            .childChannelOption(.socketOption(.so_sndbuf), value: 131_072)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try audience.value.addHandlers(to: channel) }
            }
        channel = try Self.bind(bootstrap, settings)
        port = channel.localAddress?.port ?? settings.output.port
        self.audience = audience
    }

    private static func bind(_ bootstrap: ServerBootstrap, _ settings: Settings) throws -> any Channel {
        let (address, port) = (settings.output.address, settings.output.port)
        if let address { return try bootstrap.bind(host: address, port: port).wait() }
        // The address of all addresses of version 6 takes version 4 too, where there is a version 6.
        if let channel = try? bootstrap.bind(host: "::", port: port).wait() { return channel }
        return try bootstrap.bind(host: "0.0.0.0", port: port).wait()
    }

    /// How many listen now.
    package var listenerCount: Int { count.withLock { $0 } }
    /// Lets listeners in.
    package func open() { perform { $0.open() } }
    /// Sends bytes to all listeners. Those of a header also go to clients that join later, first of all; a header that
    /// comes after other bytes replaces the one before.
    package func send(_ bytes: [UInt8], isHeader: Bool) { perform { $0.send(bytes, isHeader: isHeader) } }
    /// Says what plays.
    package func setTitle(_ title: String) { perform { $0.setTitle(title) } }

    /// Forgets the header unless there is a listener; whether there is none.
    package func forgetHeader() -> Bool {
        let audience = audience
        return (try? Self.loop.submit { audience.value.forgetHeader() }.wait()) ?? true
    }

    /// Ends the stream: listeners get what waits for them and are closed, and none is let in until `open`.
    package func hangUp() { perform { $0.hangUp() } }

    /// Stops listening and closes everything; the server can't be used after it.
    package func stop() {
        try? channel.close().wait()
        let audience = audience
        try? Self.loop.submit { audience.value.hangUp() }.wait()
    }

    private func perform(_ body: @escaping @Sendable (Audience) -> Void) {
        let audience = audience
        Self.loop.execute { body(audience.value) }
    }
}
