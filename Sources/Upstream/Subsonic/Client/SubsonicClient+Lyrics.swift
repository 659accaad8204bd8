extension SubsonicClient {
    /// The words of a song, in every language that the server has; nil where the server doesn't know the call
    /// (extension `songLyrics`).
    /// - Throws: `notFound` where there is no such song.
    package func lyrics(songID: String) async throws -> [SubsonicLyrics]? {
        let call = SubsonicCall("getLyricsBySongId", ["id": songID])
        return try await ifKnown { try await list(call, "lyricsList", "structuredLyrics") }?.items
    }

    /// The words that an older server finds by artist and title; nil where it has none, or doesn't know the call.
    package func lyrics(artist: String, title: String) async throws -> String? {
        try await ifFound {
            try await ifKnown {
                var text: String?
                _ = try await answer(SubsonicCall("getLyrics", ["artist": artist, "title": title])) { reader, name in
                    guard "lyrics" ~= name else { return try reader.skip() }
                    try reader.member("value") { text = try $0.nonEmptyText() }
                }
                return text
            }
        }
    }
}

/// Words in one language: OpenSubsonic's `structuredLyrics`.
package struct SubsonicLyrics: Hashable, Sendable {
    /// As it is sung, and when.
    package struct Line: Hashable, Sendable {
        /// When it begins; nil in words without times.
        package var start: Duration?
        /// The words.
        package var text: String
    }

    /// As the server names it: `eng`, `xxx` for an unknown one.
    package var language: String = "xxx"
    /// True if the lines have times.
    package var isSynced: Bool
    /// `main`, `translation` or `pronunciation`; nil from servers that don't tell.
    package var kind: String?
    /// The lines in order, with the server's offset taken into their times.
    package var lines: [Line]
}

extension SubsonicLyrics: JSONReadable {
    init?(_ reader: inout JSONReader) throws {
        self.init(isSynced: false, lines: [])
        var offset: Int64 = 0
        try reader.members { reader, name in
            switch name {
            case "lang": language = try reader.nonEmptyText() ?? language
            case "synced": isSynced = try reader.bool() ?? false
            case "kind": kind = try reader.nonEmptyText()
            case "offset": offset = try reader.integer() ?? 0
            case "line": lines = try reader.list()
            default: try reader.skip()
            }
        }
        if lines.isEmpty { return nil }
        // A positive offset lets the words come sooner.
        let sooner = Duration.milliseconds(offset)
        for index in lines.indices { lines[index].start = lines[index].start.map { max(.zero, $0 - sooner) } }
    }
}

extension SubsonicLyrics.Line: JSONReadable {
    init(_ reader: inout JSONReader) throws {
        self.init(text: "")
        try reader.members { reader, name in
            switch name {
            case "start": start = try reader.integer().map { .milliseconds($0) }
            case "value": text = try reader.text() ?? ""
            default: try reader.skip()
            }
        }
    }
}
