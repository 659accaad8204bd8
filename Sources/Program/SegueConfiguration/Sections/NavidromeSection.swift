package import MediaCache
package import MusicModel

extension Configuration {
    /// The `[navidrome]` section.
    package struct Navidrome: Hashable, Sendable {
        /// The server's address, `http` or `https`, without a user; nil means as stored by `segue login`.
        package var url: String?
        /// The user's name; nil means as stored by `segue login`.
        package var username: String?
        /// The password, from the file, the environment or `password_file`; nil means as stored by `segue login`.
        package var password: Secret?
        /// Headers of every request to the server, for a proxy before it.
        package var headers: [Header] = []
        /// Absolute path of certificates that are trusted for it in addition to the system's; nil without any.
        package var certificate: String?
        /// Time between two checks of the server.
        package var syncInterval = Duration.seconds(60)
        /// True if plays are reported.
        package var scrobble = true
        /// True if the queue is saved there for other clients of the server.
        package var saveQueue = true
        /// The form in which songs are streamed.
        package var form = TrackForm()
        /// The mount's name; empty at the root.
        package var mount = ""
        /// Absolute path of a folder with cue sheets of discs that the server shows as one song; nil without one.
        package var cueFolder: String?
        /// True if cue sheets in tags and lyrics divide such discs.
        package var cueInTags = true

        /// A header of a request.
        package struct Header: Hashable, Sendable {
            /// A token of HTTP, none of Segue's own headers.
            package var name: String
            /// ASCII without control characters.
            package var value: Secret
        }

        /// The section as it is when nothing is written in it.
        package init() {}
    }
}

extension ConfigurationReader {
    /// Reads the server and what is exchanged with it; nil when neither the file nor the environment has the section.
    func readNavidrome(_ section: inout SectionReader) -> Configuration.Navidrome? {
        var navidrome = Configuration.Navidrome()
        section.read("url", .navidromeURL, into: &navidrome.url)
        section.read("username", .text("a user's name"), into: &navidrome.username)
        navidrome.password = section.secret(orCredential: "navidrome-password")
        section.read("headers", .headers, into: &navidrome.headers)
        section.read(
            "certificate", .path("the path of a file in PEM", home: directories.home), into: &navidrome.certificate)
        section.read("sync_interval", .seconds(1...86_400), into: &navidrome.syncInterval)
        section.read("scrobble", .flag, into: &navidrome.scrobble, page: .afterRestart)
        section.read("save_queue", .flag, into: &navidrome.saveQueue, page: .afterRestart)
        section.read("format", .streamFormat, into: &navidrome.form.format)
        section.read("max_bitrate", .integer(8...2000, unit: "kbit/s"), into: &navidrome.form.maxBitRate)
        section.read("mount", .mount, into: &navidrome.mount)
        section.read("cue_folder", .path("a folder's path", home: directories.home), into: &navidrome.cueFolder)
        section.read("cue_in_tags", .flag, into: &navidrome.cueInTags)
        guard section.isPresent else { return nil }
        let form = navidrome.form
        if form.maxBitRate != nil, form.format == "raw", section.node("format")?.plainText ?? "raw" == "raw" {
            section.complain("max_bitrate", "has no effect on originals; set format too, such as format = \"mp3\"")
        }
        if navidrome.password != nil, section.node("username") == nil {
            section.complain("username", "missing; a password needs a user name")
        }
        section.warnIfExposed("url", navidrome.url ?? "", risk: "the token")
        return navidrome
    }
}

extension ValueKind where Value == String {
    /// The address of a server, without credentials.
    package static var serverURL: ValueKind {
        let expected = "an address such as \"http://127.0.0.1:4533\""
        return ValueKind(expected: expected, isSecret: true) { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            return try HTTPAddress.checked(text, allowsQuery: false)
        }
    }

    /// The same, or what a browser shows of Navidrome.
    fileprivate static var navidromeURL: ValueKind {
        ValueKind(expected: serverURL.expected, isSecret: true) { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            return try HTTPAddress.checked(HTTPAddress.withoutPage(text), allowsQuery: false)
        }
    }

    /// `raw`, or the name of a format that the server converts to.
    fileprivate static var streamFormat: ValueKind {
        ValueKind(expected: "\"raw\" or a format's name such as \"mp3\" or \"opus\"") { node in
            guard let text = node.plainText, (1...16).contains(text.utf8.count),
                text.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) })
            else { return nil }
            return text
        }
    }
}

extension ValueKind where Value == [Configuration.Navidrome.Header] {
    /// Headers of requests, each a name, a colon and a value.
    fileprivate static var headers: ValueKind {
        .list("a list of headers such as \"X-Key: value\"", isSecret: true) { text throws(ValueComplaint) in
            if let header = Configuration.Navidrome.Header(text) { return header }
            throw ValueComplaint("has an entry that is not a proxy's header; write \"Name: value\"")
        }
    }
}

extension Configuration.Navidrome.Header {
    /// Those that say how a request is sent are Segue's own.
    private static let own: Set = [
        "accept-encoding", "connection", "content-length", "content-type", "host", "range", "te", "trailer",
        "transfer-encoding", "upgrade", "x-nd-authorization",
    ]

    /// Reads `Name: value`; nil where that is none, or one of Segue's own.
    fileprivate init?(_ text: String) {
        let name = text.prefix { $0 != ":" }
        let isToken =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        var value = text.dropFirst(name.count + 1)
        while value.first == " " { value = value.dropFirst() }
        while value.last == " " { value = value.dropLast() }
        guard isToken, !value.isEmpty, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
            !Self.own.contains(name.lowercased())
        else { return nil }
        self.init(name: String(name), value: Secret(String(value)))
    }
}
