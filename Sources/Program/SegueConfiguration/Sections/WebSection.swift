package import MPDSessions
package import NetworkAddresses

extension Configuration {
    /// The `[web]` section.
    package struct Web: Hashable, Sendable {
        /// Where the page and the HTTP interface are; nowhere when it is empty.
        package var listen: [ListenerAddress] = [.tcp(host: "127.0.0.1", port: 6610)]
        /// Absolute path of a folder from which the page is served in place of the program's own files.
        package var directory: String?
        /// Further names by which browsers reach it.
        package var hosts: [String] = []
        /// Proxies that are believed when they say for whom they ask.
        package var trustedProxies: [AddressRange] = []
        /// Other websites whose pages may use the interface.
        package var origins: [String] = []
        /// Websites that may show the page in a frame.
        package var frameAncestors: [String] = []
    }
}

extension ConfigurationReader {
    /// Reads where the page is, and which websites and names it accepts.
    func readWeb(_ section: inout SectionReader) -> Configuration.Web {
        var web = Configuration.Web()
        section.read("listen", .webAddresses(home: directories.home), into: &web.listen)
        section.read("directory", .path("a folder's path", home: directories.home), into: &web.directory)
        section.read("hosts", .hostNames, into: &web.hosts)
        section.read("trusted_proxies", .networks, into: &web.trustedProxies)
        section.read("origins", .websites, into: &web.origins)
        section.read("frame_ancestors", .websites, into: &web.frameAncestors)
        return web
    }
}

extension ValueKind where Value == [ListenerAddress] {
    /// Addresses of hosts; none switches the page off.
    fileprivate static func webAddresses(home: String?) -> ValueKind {
        let expected = "a list of addresses such as [\"127.0.0.1:6610\"], or [] for no page"
        return ValueKind(expected: expected) { node throws(ValueComplaint) in
            guard let texts = node.textList else { return nil }
            var addresses: [ListenerAddress] = []
            for text in texts {
                let address = try ListenerAddress(text, home: home)
                if case .unix = address { throw ValueComplaint("\"\(text)\" is a path; the page needs host:port") }
                guard !addresses.contains(address) else { throw ValueComplaint("\"\(text)\" is listed twice") }
                addresses.append(address)
            }
            return addresses
        }
    }
}

extension ValueKind where Value == [AddressRange] {
    /// Addresses and networks.
    fileprivate static var networks: ValueKind {
        ValueKind(expected: "a list of addresses or networks such as [\"127.0.0.1\"]") { node throws(ValueComplaint) in
            guard let texts = node.textList else { return nil }
            var networks: [AddressRange] = []
            for text in texts {
                guard let network = AddressRange(text) else {
                    throw ValueComplaint(
                        "\"\(text)\" is not an address; write one such as \"127.0.0.1\" or \"172.17.0.0/16\"")
                }
                networks.append(network)
            }
            return networks
        }
    }
}

extension ValueKind where Value == [String] {
    /// DNS names without a port.
    fileprivate static var hostNames: ValueKind {
        ValueKind(expected: "a list of host names such as [\"music.example.org\"]") { node throws(ValueComplaint) in
            guard let texts = node.textList else { return nil }
            for text in texts
            where text.isEmpty || !text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) })
            {
                throw ValueComplaint("\"\(text)\" is not a host name; leave out https:// and the port")
            }
            return texts
        }
    }

    /// Websites as browsers name them.
    fileprivate static var websites: ValueKind {
        ValueKind(expected: "a list of websites such as [\"https://home.example.org\"]") {
            node throws(ValueComplaint) in
            guard let texts = node.textList else { return nil }
            for text in texts {
                let rest = ["https://", "http://"].first { text.hasPrefix($0) }.map { text.dropFirst($0.count) }
                guard let rest, !rest.isEmpty,
                    rest.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._:[]".contains($0)) })
                else {
                    throw ValueComplaint(
                        "\"\(text)\" is not a website; write https:// and the host, with its port if it needs one, and "
                            + "nothing else")
                }
            }
            return texts
        }
    }
}
