import MusicModel

extension ConfigurationReader {
    /// Where the page is, and whom it lets in.
    func readWeb(_ section: inout SectionReader) -> Configuration.Web {
        var web = Configuration.Web()
        web.listen = section.value("listen", .webAddresses(home: directories.home)) ?? web.listen
        web.directory = section.value("directory", .path("a folder's path", home: directories.home))
        web.hosts = section.value("hosts", .hostNames) ?? []
        web.origins = section.value("origins", .websites) ?? []
        web.frameAncestors = section.value("frame_ancestors", .websites) ?? []
        return web
    }
}

extension ValueKind where Value == [ListenAddress] {
    /// Addresses of hosts; none switches the page off.
    fileprivate static func webAddresses(home: String?) -> ValueKind {
        let expected = "a list of addresses such as [\"127.0.0.1:6610\"], or [] for no page"
        return ValueKind(expected: expected) { node throws(ValueComplaint) in
            guard let texts = node.textList else { return nil }
            var addresses: [ListenAddress] = []
            for text in texts {
                let address = try ListenAddress(text, home: home)
                if case .unix = address { throw ValueComplaint("\"\(text)\" is a path; the page needs host:port") }
                guard !addresses.contains(address) else { throw ValueComplaint("\"\(text)\" is listed twice") }
                addresses.append(address)
            }
            return addresses
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
                throw ValueComplaint("\"\(text)\" is no host name; leave out https:// and the port")
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
                        "\"\(text)\" is no website; write https:// and the host, with a port where it has one, and "
                            + "nothing behind")
                }
            }
            return texts
        }
    }
}
