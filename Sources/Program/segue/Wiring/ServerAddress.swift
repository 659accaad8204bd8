import MPDSessions

/// An address that the server can listen on; the configuration's type of the same name is another one.
typealias ServerAddress = ListenAddress

extension ServerAddress {
    /// A host and a port.
    static func on(host: String, port: Int) -> ServerAddress { .tcp(host: host, port: port) }
    /// A Unix socket.
    static func on(path: String) -> ServerAddress { .unix(path: path) }
}
