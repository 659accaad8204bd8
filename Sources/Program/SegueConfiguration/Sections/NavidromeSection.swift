package import MediaCache
package import MusicModel
package import Sync

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
        /// How its library is read.
        package var reading = ServerReading()
        /// How plays are reported.
        package var scrobbling = ScrobbleSettings()
        /// True if the queue is saved there for other clients of the server.
        package var saveQueue = true
        /// The form in which songs are streamed.
        package var form = TrackForm()
        /// The mount's name; empty at the root.
        package var mount = ""

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

extension Configuration.Navidrome {
    init?(reading section: inout SectionReader) {
        self.init()
        section.read("url", .navidromeURL, into: &url)
        section.read("username", .text("a user's name"), into: &username)
        password = section.secret(orCredential: "navidrome-password")
        section.read("headers", .headers, into: &headers)
        section.read("certificate", .path("the path of a file in PEM", home: section.home), into: &certificate)
        section.read("sync_interval", .seconds(1...86_400), into: &reading.interval)
        section.read("scrobble", .flag, into: &scrobbling.isEnabled, page: .afterRestart)
        section.read("save_queue", .flag, into: &saveQueue, page: .afterRestart)
        section.read("format", .streamFormat, into: &form.format)
        section.read("max_bitrate", .integer(8...2000, unit: "kbit/s"), into: &form.maxBitRate)
        section.read("mount", .mount, into: &mount)
        section.read("cue_folder", .path("a folder's path", home: section.home), into: &reading.cueFolder)
        section.read("cue_in_tags", .flag, into: &reading.readsTaggedSheets)
        guard section.isPresent else { return nil }
        if form.maxBitRate != nil, form.format == "raw", section.node("format")?.plainText ?? "raw" == "raw" {
            section.complain("max_bitrate", "has no effect on originals; set format too, such as format = \"mp3\"")
        }
        if password != nil, !section.has("username") {
            section.complain("username", "missing; a password needs a user name")
        }
        section.warnIfExposed("url", url ?? "", risk: "the token")
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

    fileprivate static var streamFormat: ValueKind {
        ValueKind(expected: "\"raw\" or a format's name such as \"mp3\" or \"opus\"") { node in
            node.plainText.flatMap { $0.wholeMatch(of: #/[a-z0-9]{1,16}/#) == nil ? nil : $0 }
        }
    }
}

extension ValueKind where Value == [Configuration.Navidrome.Header] {
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
        guard let match = text.wholeMatch(of: #/([A-Za-z0-9!#$%&'*+.^_`|~\-]+): *([!-~](?:[ -~]*[!-~])?) */#),
            !Self.own.contains(match.1.lowercased())
        else { return nil }
        self.init(name: String(match.1), value: Secret(String(match.2)))
    }
}
