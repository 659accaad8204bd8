package import AsyncHTTPClient
package import NetworkAddresses

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
