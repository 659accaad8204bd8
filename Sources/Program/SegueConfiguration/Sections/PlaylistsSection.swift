import MusicModel
package import NetworkAddresses
import Playback
package import UserLibrary

extension Configuration {
    /// The `[playlists]` section: which playlists clients see, and where they may load others from.
    package struct Playlists: Hashable, Sendable {
        /// Those that clients don't see.
        package var hidden: Set<VirtualPlaylist.Kind> = []
        /// Hosts in private networks from which clients may have playlists read.
        package var privateHosts = HostList()

        init(reading section: inout SectionReader) {
            section.read("hide", .virtualPlaylists, into: &hidden)
            if let hosts = section.value("private_hosts", .hosts) { privateHosts = hosts }
        }

        /// Those that clients see where there is something in them.
        package var shown: [VirtualPlaylist.Kind] { VirtualPlaylist.Kind.allCases.filter { !hidden.contains($0) } }
    }
}

extension ValueKind where Value == Set<VirtualPlaylist.Kind> {
    /// A list of playlists that Segue makes itself; it may be empty, and a single one may stand without brackets.
    fileprivate static var virtualPlaylists: ValueKind {
        let words = VirtualPlaylist.Kind.allCases.map(\.rawValue)
        let list = ValueKind<[VirtualPlaylist.Kind]>.list("a list of " + words.asQuotedList, takesOne: true) {
            text throws(ValueComplaint) in
            if let playlist = VirtualPlaylist.Kind(rawValue: text) { return playlist }
            throw ValueComplaint(words.complaint(about: text))
        }
        return list.map { Set($0) }
    }
}

extension ResolverSettings {
    init?(reading section: inout SectionReader) {
        let example = "command = [\"yt-dlp\", \"--get-url\", \"--format\", \"bestaudio\", \"--\"]"
        let command = section.required("command", .programWords, example: example)
        let hosts = section.required("hosts", .hostNames, example: "hosts = [\"youtube.com\"]")
        self.init(command: command ?? [], hosts: hosts ?? [])
        section.read("timeout", .seconds(1...120), into: &timeout)
        if !section.isPresent { return nil }
    }
}

extension ValueKind where Value == [String] {
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

extension ConfigurationReader {
    func readStations(_ sections: [SectionReader]) -> [Station] {
        var names: Set<String> = []
        return sections.compactMap { section in
            var section = section
            let name = section.required("name", .text("a station's name"), example: "name = \"Radio Nova\"")
            let url = section.required("url", .streamURL, example: "url = \"https://...\"")
            let picture = section.value("picture", .picture(home: directories.home))
            let country = section.value("country", .text("a country"))
            let genre = section.value("genre", .text("a genre"))
            let homepage = section.value("homepage", .streamURL)
            section.finish()
            guard let name, let url else { return nil }
            if !names.insert(name).inserted {
                section.complain("name", "\"\(name)\" is the name of another station too")
            }
            return Station(name: name, url: url, picture: picture, country: country, genre: genre, homepage: homepage)
        }
    }
}

extension ValueKind where Value == String {
    fileprivate static var streamURL: ValueKind {
        ValueKind(expected: "an address such as \"https://...\"", isSecret: true) { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            return try HTTPAddress.checked(text, allowsQuery: true)
        }
    }
}

extension ValueKind where Value == StationPicture {
    fileprivate static func picture(home: String?) -> ValueKind {
        let path = ValueKind<String>.path("a picture's path", home: home)
        return ValueKind(expected: "a path, or an address such as \"https://...\"", isSecret: true) {
            node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            let isAddress = ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
            if isAddress { return .address(try HTTPAddress.checked(text, allowsQuery: true)) }
            return try path.convert(node).map { .file($0) }
        }
    }
}
