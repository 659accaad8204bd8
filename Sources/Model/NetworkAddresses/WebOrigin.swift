/// The server that a URL of the web belongs to; a login is for one of these, and no other gets it.
package struct WebOrigin: Hashable, Sendable {
    private let scheme: String
    private let host: String
    private let port: Int

    /// Takes the parts of a URL; nil for what is not of the web.
    package init?(scheme: String?, host: String?, port: Int?) {
        guard let scheme = scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = host?.lowercased(), !host.isEmpty
        else { return nil }
        (self.scheme, self.host) = (scheme, host)
        self.port = port ?? (scheme == "http" ? 80 : 443)
    }
}
