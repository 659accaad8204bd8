package import NetworkAddresses

/// The settings of the HTTP server, from `[web]`.
package struct WebSettings: Hashable, Sendable {
    /// Further names by which it is reached.
    package var hosts: [String] = []
    /// Other websites whose pages may use the interface.
    package var origins: [String] = []
    /// Websites that may show the page in a frame.
    package var frameAncestors: [String] = []
    /// Proxies that are believed when they say for whom they ask.
    package var trustedProxies: [AddressRange] = []
    /// A folder from which the page is served in place of the program's own files.
    package var directory: String?

    /// Makes settings as they are when nothing is configured.
    package init() {}
}

/// Limits for the requests of clients.
enum WebLimits {
    /// Connections at the same time.
    static let connections = 256
    /// Connections from one address; a page needs six.
    static let connectionsOfAddress = 64
    /// Sockets and event streams at the same time.
    static let sockets = 64
    /// Bytes of a body.
    static let body = 1 << 20
    /// Bytes of a message from a page.
    static let message = 64 << 10
    /// Bytes of all header fields together.
    static let header = 16 << 10
    /// Fields of a header.
    static let fields = 100
    /// Seconds for a whole request.
    static let request: Int64 = 15
    /// Seconds between two requests.
    static let idle: Int64 = 60
    /// Seconds for which a client may not read what it asked for.
    static let stall: Int64 = 30
    /// Seconds for which a connection stays half open after its last answer.
    static let linger: Int64 = 2
    /// Seconds between two signs of life on a socket.
    static let ping: Int64 = 20
    /// Bytes that may wait for a socket's client.
    static let backlog = 512 << 10
}
