/// A request that the fake server received.
package struct FakeRequest: Hashable, Sendable {
    /// `GET` or `POST`.
    package var method: String
    /// The path without the query.
    package var path: String
    /// What stood behind the question mark, as it came.
    package var query: String
    /// Parameters of the query and the form, in order; a name may stand there several times.
    package var parameters: [FakeParameter]
    /// Headers, with names in lower case.
    package var headers: [String: String]
    /// The body of a POST.
    package var body: [UInt8] = []

    /// The call's name: `search3` for `/rest/search3.view`.
    package var call: String {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return name.hasSuffix(".view") ? String(name.dropLast(5)) : name
    }

    /// The first value of a parameter.
    package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Every value of a parameter.
    package func all(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }

    /// A number that a parameter holds.
    func int(_ name: String) -> Int? { self[name].flatMap { Int($0) } }
}

/// One parameter.
package struct FakeParameter: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The value.
    package var value: String

    /// Takes `a=1&b=2` apart.
    static func parse(_ form: String) -> [FakeParameter] {
        form.split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            return FakeParameter(name: decode(name), value: decode(pair.dropFirst(name.count + 1)))
        }
    }

    private static func decode(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A play, or a song being played, that was reported.
package struct FakeScrobble: Hashable, Sendable {
    /// The song's id.
    package var id: String
    /// Unix milliseconds, if the client sent a time.
    package var time: Int64?
    /// Whether it is a play; otherwise it is what is being played now.
    package var isSubmission: Bool
    /// Whose it is; nil is the administrator's.
    package var user: String?

    /// Makes a report, to compare with.
    package init(id: String, time: Int64?, isSubmission: Bool) {
        self.id = id
        self.time = time
        self.isSubmission = isSubmission
    }
}

/// What goes back.
struct FakeAnswer: Sendable {
    var status = 200
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// Whether the length is announced; otherwise the body comes in chunks.
    var announcesLength = true

    static func json(_ bytes: [UInt8]) -> FakeAnswer {
        FakeAnswer(headers: [("Content-Type", "application/json")], body: bytes)
    }

    static func text(_ status: Int, _ text: String) -> FakeAnswer {
        FakeAnswer(status: status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: Array(text.utf8))
    }

    var isJSON: Bool { headers.contains { $0.name == "Content-Type" && $0.value == "application/json" } }
}

/// A playlist of the fake server.
package struct FakePlaylist: Hashable, Sendable {
    /// The id.
    package var id: String
    /// The name.
    package var name: String
    /// The songs in order, missing ones included.
    package var songIDs: [String]
    /// Whether it can't be edited.
    package var isReadOnly = false
    /// Unix seconds.
    package var changed: Int64 = 1_700_000_000
    /// The fraction of the second.
    package var changedNanoseconds: Int64 = 0
    /// Whose it is; nil is the administrator's.
    package var owner: String?
    /// Whether others see it.
    package var isPublic = false
    /// Whether edits of it end in an error of the server.
    package var failsEdits = false

    /// Makes a playlist.
    package init(id: String, name: String, songIDs: [String], isReadOnly: Bool = false) {
        self.id = id
        self.name = name
        self.songIDs = songIDs
        self.isReadOnly = isReadOnly
    }
}

/// A radio station of the fake server.
package struct FakeStation: Hashable, Sendable {
    /// The id.
    package var id: String
    /// The name.
    package var name: String
    /// Where the sound is.
    package var streamURL: String
    /// The id of its picture; nil without one.
    package var coverArt: String?

    /// Makes a station.
    package init(id: String, name: String, streamURL: String, coverArt: String? = nil) {
        self.coverArt = coverArt
        self.id = id
        self.name = name
        self.streamURL = streamURL
    }
}

/// How a fake server behaves.
package struct FakeOptions: Sendable {
    /// Which server it plays.
    package enum Kind: Sendable {
        /// Navidrome 0.63.2.
        case navidrome
        /// supysonic 0.7.9: API 1.12.0, no tokens, no OpenSubsonic, no scan status.
        case supysonic
    }

    /// Which server it plays.
    package var kind = Kind.navidrome
    /// The name of the administrator, who is the only user but for `others`.
    package var user = "admin"
    /// The names of other users, who have the same password and see what is theirs and what others show.
    package var others: Set<String> = []
    /// The user's password.
    package var password = "secret"
    /// 0 is any free port.
    package var port = 0
    /// Length of the generated sound.
    package var audioMilliseconds = 3000
    /// Files that are served in turn instead of generated sound.
    package var audioFiles: [String] = []
    /// How many pictures may be asked for at once before 429 is answered.
    package var maximumPictures = 8
    /// How long a picture takes.
    package var pictureMilliseconds = 0
    /// Whether `stream` ignores ranges, as for a first transcoding.
    package var ignoresRanges = false
    /// Whether it shows the folders in which the files lie.
    package var showsFolders = false
    /// Whether it lists the plays that it counted, as versions behind 0.63 do.
    package var listsPlays = false
    /// Whether it has the extension `sonicSimilarity`.
    package var hearsSound = false
    /// What becomes of the name of a playlist that a client sends.
    package var playlistName: @Sendable (String) -> String = { $0 }
    /// Whether a search for nothing finds everything, and not nothing.
    package var findsAll = true
    /// Whether POST is answered by 405.
    package var refusesPost = false

    /// The usual behaviour.
    package init() {}
}
