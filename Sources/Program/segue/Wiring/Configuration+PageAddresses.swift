import Foundation
import NIOCore
import SegueConfiguration

extension Configuration {
    /// The addresses by which browsers reach the page, those for other machines first.
    func pageAddresses() -> [String] {
        web.listen.flatMap { address -> [String] in
            switch address {
            case .host(let host, let port): Self.hosts(host).map { "http://\(Self.bracketed($0)):\(port)" }
            case .tls(let host, let port): Self.hosts(host).map { "https://\(Self.bracketed($0)):\(port)" }
            case .unix: []
            }
        }
        .sorted { Self.isLocal($0) == false && Self.isLocal($1) }
    }

    private static func isLocal(_ address: String) -> Bool { address.contains("//127.") || address.contains("//[::1]") }

    private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    /// The host of an address that means all of them.
    private static func hosts(_ host: String) -> [String] {
        guard ["0.0.0.0", "::", "*"].contains(host) else { return [host] }
        let own = (try? System.enumerateDevices())?.compactMap { $0.address?.ipAddress } ?? []
        // Of version 6 only what phones can type is of use, which is nothing.
        let shown = own.filter { !$0.contains(":") && !$0.hasPrefix("127.") }
        return shown.isEmpty ? ["127.0.0.1"] : shown
    }
}
