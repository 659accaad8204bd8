import NetworkAddresses

extension Configuration {
    /// The `[resolver]` section: a program that finds the streams behind the addresses of pages.
    package struct Resolver: Hashable, Sendable {
        /// The program with its arguments; the address follows as the last one.
        package var command: [String] = []
        /// The hosts whose addresses it gets, with all below them, in lower case.
        package var hosts: [String] = []
        /// How long it may take.
        package var timeout = Duration.seconds(20)
    }
}

extension ConfigurationReader {
    /// Reads the program; nil when neither the file nor the environment has the section.
    func readResolver(_ section: inout SectionReader) -> Configuration.Resolver? {
        var resolver = Configuration.Resolver()
        let example = "command = [\"yt-dlp\", \"--get-url\", \"--format\", \"bestaudio\", \"--\"]"
        if let command = section.required("command", .programWords, example: example) { resolver.command = command }
        if let hosts = section.required("hosts", .hostNames, example: "hosts = [\"youtube.com\"]") {
            resolver.hosts = hosts
        }
        section.read("timeout", .seconds(1...120), into: &resolver.timeout)
        return section.isPresent ? resolver : nil
    }
}

extension ValueKind where Value == [String] {
    /// A program and its arguments.
    fileprivate static var programWords: ValueKind {
        ValueKind(expected: "a list of a program and its arguments") { node throws(ValueComplaint) in
            guard let words = node.textList else { return nil }
            guard let first = words.first, !first.isEmpty else { throw ValueComplaint("must name a program") }
            guard !words.contains(where: { $0.utf8.contains(0) }) else { throw ValueComplaint("has a zero byte") }
            return words
        }
    }

    /// Hosts whose addresses go to the program, without the `*.` that may stand before them.
    fileprivate static var hostNames: ValueKind {
        ValueKind(expected: "a list of host names such as \"youtube.com\"") { node throws(ValueComplaint) in
            guard let texts = node.textList else { return nil }
            let names = texts.map { ($0.hasPrefix("*.") ? String($0.dropFirst(2)) : $0).lowercased() }
            _ = try HostList(names)
            guard !names.isEmpty else { throw ValueComplaint("must name a host: the program gets no other addresses") }
            return names
        }
    }
}
