package import MPDSessions
import NetworkAddresses
package import WebServer

extension Configuration {
    /// The `[web]` section.
    package struct Web: Hashable, Sendable {
        /// Where the page and the HTTP interface are; nowhere when it is empty.
        package var listen: [ListenerAddress] = [.tcp(host: "127.0.0.1", port: 6610)]
        /// The settings of the HTTP server.
        package var settings = WebSettings()
    }
}

extension ConfigurationReader {
    /// Reads where the page is, and which websites and names it accepts.
    func readWeb(_ section: inout SectionReader) -> Configuration.Web {
        var web = Configuration.Web()
        let addresses = "a list of addresses such as [\"127.0.0.1:6610\"], or [] for no page"
        section.read("listen", .addresses(addresses, home: directories.home, ofPage: true), into: &web.listen)
        section.read("directory", .path("a folder's path", home: directories.home), into: &web.settings.directory)
        section.read("hosts", .hostNames, into: &web.settings.hosts)
        section.read("trusted_proxies", .networks, into: &web.settings.trustedProxies)
        section.read("origins", .websites, into: &web.settings.origins)
        section.read("frame_ancestors", .websites, into: &web.settings.frameAncestors)
        return web
    }
}

extension ValueKind where Value == [AddressRange] {
    /// Addresses and networks.
    fileprivate static var networks: ValueKind {
        .list("a list of addresses or networks such as [\"127.0.0.1\"]") { text throws(ValueComplaint) in
            if let network = AddressRange(text) { return network }
            throw ValueComplaint("\"\(text)\" is not an address; write one such as \"127.0.0.1\" or \"172.17.0.0/16\"")
        }
    }
}

extension ValueKind where Value == [String] {
    /// DNS names without a port.
    fileprivate static var hostNames: ValueKind {
        .list("a list of host names such as [\"music.example.org\"]") { text throws(ValueComplaint) in
            let isName = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
            if isName, !text.isEmpty { return text }
            throw ValueComplaint("\"\(text)\" is not a host name; leave out https:// and the port")
        }
    }

    /// Websites as browsers name them.
    fileprivate static var websites: ValueKind {
        .list("a list of websites such as [\"https://home.example.org\"]") { text throws(ValueComplaint) in
            let rest = ["https://", "http://"].first { text.hasPrefix($0) }.map { text.dropFirst($0.count) } ?? ""
            let isHost = rest.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._:[]".contains($0)) }
            if isHost, !rest.isEmpty { return text }
            throw ValueComplaint(
                "\"\(text)\" is not a website; write https:// and the host, with its port if it needs one, and "
                    + "nothing else")
        }
    }
}
