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

/// Limits for the requests of clients: sizes in bytes, times in seconds.
enum WebLimits {
    static let connections = 256
    /// Connections from one address; a page needs six.
    static let connectionsOfAddress = 64
    /// Sockets and event streams at the same time.
    static let sockets = 64
    static let body = 1 << 20
    static let message = 64 << 10
    static let header = 16 << 10
    static let fields = 100
    static let request: Int64 = 15
    static let idle: Int64 = 60
    /// For how long a client may not read what it asked for.
    static let stall: Int64 = 30
    /// For how long a connection stays half open after its last answer.
    static let linger: Int64 = 2
    /// Between two signs of life on a socket.
    static let ping: Int64 = 20
    static let backlog = 512 << 10
}
