package import AsyncHTTPClient
import NIOCore

/// Connections to the servers that Segue is a client of. They close once no one holds them any more.
///
/// Redirections are not followed: they would carry credentials and questions to another server (those to files that a
/// server keeps elsewhere are, without either, by `HTTPTransport.media`). Certificates are
/// trusted as `SSL_CERT_FILE` says, and gzip is unpacked up to 25 times its size.
/// - Isolation: any.
package final class HTTPConnections: Sendable {
    /// Sends requests over them.
    package let client: HTTPClient

    /// Prepares connections; none is opened yet.
    ///
    /// - Parameters:
    ///   - connect: how long a server may take to accept one.
    ///   - read: how long it may be silent within an answer.
    ///   - idle: how long one without a request is kept.
    ///   - adjust: changes what this server needs otherwise.
    package init(
        connect: Duration, read: Duration, idle: Duration = .seconds(60),
        adjust: (inout HTTPClient.Configuration) -> Void = { _ in }
    ) {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.timeout.connect = TimeAmount(connect)
        configuration.timeout.read = TimeAmount(read)
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.idleTimeout = TimeAmount(idle)
        configuration.trustFileOfEnvironment()
        adjust(&configuration)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        // A client that was not shut down is a crash in debug builds; a second shut-down is an error to ignore.
        let client = client
        Task { try? await client.shutdown() }
    }

    /// Closes every connection.
    package func shutDown() async { try? await client.shutdown() }
}
