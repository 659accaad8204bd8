import Foundation
package import MPDSessions
import NetworkAddresses
import NIOCore
package import WebServer

extension Configuration {
    /// The `[web]` section.
    package struct Web: Hashable, Sendable {
        /// Where the page and the HTTP interface are; nowhere when it is empty.
        package var listen: [ListenerAddress] = [.tcp(host: "127.0.0.1", port: 6610)]
        /// The settings of the HTTP server.
        package var settings = WebSettings()

        init(reading section: inout SectionReader) {
            let addresses = "a list of addresses such as [\"127.0.0.1:6610\"], or [] for no page"
            section.read("listen", .addresses(addresses, home: section.home, ofPage: true), into: &listen)
            section.read("directory", .path("a folder's path", home: section.home), into: &settings.directory)
            section.read("hosts", .hostNames, into: &settings.hosts)
            section.read("trusted_proxies", .networks, into: &settings.trustedProxies)
            section.read("origins", .websites, into: &settings.origins)
            section.read("frame_ancestors", .websites, into: &settings.frameAncestors)
        }
    }
}

extension ValueKind where Value == [AddressRange] {
    fileprivate static var networks: ValueKind {
        .list("a list of addresses or networks such as [\"127.0.0.1\"]") { text throws(ValueComplaint) in
            if let network = AddressRange(text) { return network }
            throw ValueComplaint("\"\(text)\" is not an address; write one such as \"127.0.0.1\" or \"172.17.0.0/16\"")
        }
    }
}

extension ValueKind where Value == [String] {
    fileprivate static var hostNames: ValueKind {
        .list("a list of host names such as [\"music.example.org\"]") { text throws(ValueComplaint) in
            if text.wholeMatch(of: #/[A-Za-z0-9._\-]+/#) != nil { return text }
            throw ValueComplaint("\"\(text)\" is not a host name; leave out https:// and the port")
        }
    }

    fileprivate static var websites: ValueKind {
        .list("a list of websites such as [\"https://home.example.org\"]") { text throws(ValueComplaint) in
            if text.wholeMatch(of: #/https?:\/\/[A-Za-z0-9._:\[\]\-]+/#) != nil { return text }
            throw ValueComplaint(
                "\"\(text)\" is not a website; write https:// and the host, with its port if it needs one, and "
                    + "nothing else")
        }
    }
}

extension Configuration {
    /// The addresses by which browsers reach the page, those for other machines first.
    package func pageAddresses() -> [String] {
        web.listen.flatMap { address -> [String] in
            switch address {
            case .tcp(let host, let port): Self.hosts(host).map { "http://\(Self.bracketed($0)):\(port)" }
            case .tls(let host, let port): Self.hosts(host).map { "https://\(Self.bracketed($0)):\(port)" }
            case .unix: []
            }
        }
        .enumerated().sorted {
            let local = (Self.isLocal($0.element), Self.isLocal($1.element))
            return local.0 != local.1 ? local.1 : $0.offset < $1.offset
        }.map(\.element)
    }

    private static func isLocal(_ address: String) -> Bool { address.contains("//127.") || address.contains("//[::1]") }

    private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    /// The host of an address that means all of them.
    private static func hosts(_ host: String) -> [String] {
        guard ["0.0.0.0", "::", "*"].contains(host) else { return [host] }
        let own = ((try? System.enumerateDevices()) ?? []).compactMap { device -> MachineAddress? in
            // Of version 6 only what phones can type is of use, which is nothing.
            guard let address = device.address?.ipAddress, !address.contains(":"), !address.hasPrefix("127.") else {
                return nil
            }
            let isPhysical = FileManager.default.fileExists(atPath: "/sys/class/net/\(device.name)/device")
            return MachineAddress(interface: device.name, address: address, isPhysical: isPhysical)
        }
        let routes = try? String(contentsOfFile: "/proc/net/route", encoding: .utf8)
        let route = routes.flatMap { MachineAddress.defaultRoute($0) }
        let shown = MachineAddress.byReach(own, defaultRoute: route).map(\.address)
        return shown.isEmpty ? ["127.0.0.1"] : shown
    }
}
