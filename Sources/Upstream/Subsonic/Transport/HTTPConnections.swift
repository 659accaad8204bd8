package import AsyncHTTPClient
import Foundation
package import NetworkAddresses
import NIOCore
import NIOSSL

/// Connections to the servers that Segue is a client of. They close once no one holds them any more.
///
/// Redirections are not followed: they would carry credentials and questions to another server (those to files that a
/// server keeps elsewhere are, without either, by `HTTPTransport.media`). Certificates are
/// trusted as `SSL_CERT_FILE` says, and gzip is unpacked up to 25 times its size.
package final class HTTPConnections: Sendable {
    /// Sends requests over them.
    package let client: HTTPClient

    /// Prepares connections; none is opened yet. A server may take so long to accept one, and be silent so long within
    /// an answer; one without a request is kept so long. `adjust` changes what a server needs otherwise.
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

extension HTTPClient.Configuration {
    /// Sends requests to a host through the proxy, unless that leaves the host out.
    package mutating func use(_ proxy: WebProxy?, for host: String) {
        guard let proxy, proxy.isUsed(for: host) else { return }
        let authorization = proxy.user.map {
            HTTPClient.Authorization.basic(username: $0, password: proxy.password ?? "")
        }
        self.proxy = .server(host: proxy.host, port: proxy.port, authorization: authorization)
    }
}

extension HTTPClient.Configuration {
    /// Trusts the certificates of the file that `SSL_CERT_FILE` in the environment names, as other programs do, instead
    /// of the system's, which count where that file can't be read.
    mutating func trustFileOfEnvironment() {
        guard let path = ProcessInfo.processInfo.environment["SSL_CERT_FILE"],
            FileManager.default.isReadableFile(atPath: path)
        else { return }
        var trusting = TLSConfiguration.makeClientConfiguration()
        trusting.trustRoots = .file(path)
        tlsConfiguration = trusting
    }

    mutating func trust(_ file: String?) {
        guard let file else { return }
        var trusting = tlsConfiguration ?? .makeClientConfiguration()
        trusting.additionalTrustRoots.append(.file(file))
        tlsConfiguration = trusting
    }
}
