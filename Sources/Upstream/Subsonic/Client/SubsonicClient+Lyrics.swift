/// Words of songs.
extension SubsonicClient {
    /// The words of a song, in every language that the server has; nil where the server doesn't know the call
    /// (extension `songLyrics`).
    ///
    /// - Parameter songID: the song's id on the server.
    /// - Throws: `notFound` where there is no such song.
    @concurrent
    package func lyrics(songID: String) async throws -> [SubsonicLyrics]? {
        do {
            let call = SubsonicCall(name: "getLyricsBySongId", parameters: [("id", songID)])
            return try await list(call, "lyricsList", "structuredLyrics") { (reader) throws(JSONProblem) in
                try SubsonicLyrics(&reader)
            }.items
        } catch let error as SubsonicError where error.isAbsence { return nil }
    }

    /// The words that an older server finds by artist and title; nil where it has none, or doesn't know the call.
    @concurrent
    package func lyrics(artist: String, title: String) async throws -> String? {
        do {
            let call = SubsonicCall(name: "getLyrics", parameters: [("artist", artist), ("title", title)])
            return try await value(call, "lyrics") { (reader) throws(JSONProblem) in
                var text: String?
                try reader.members { (reader, name) throws(JSONProblem) in
                    if name.elementsEqual("value".utf8) {
                        text = try reader.nonEmptyText()
                    } else {
                        try reader.skip()
                    }
                }
                return text
            } ?? nil
        } catch let error as SubsonicError where error.isAbsence || error.code == .notFound { return nil }
    }
}

/// Words in one language: OpenSubsonic's `structuredLyrics`.
package struct SubsonicLyrics: Hashable, Sendable {
    /// A line, with its time where the words have times.
    package struct Line: Hashable, Sendable {
        /// When it begins; nil in words without times.
        package var start: Duration?
        /// The words.
        package var text: String
    }

    /// The language as the server names it: `eng`, `xxx` for an unknown one.
    package var language: String = "xxx"
    /// True if the lines have times.
    package var isSynced: Bool
    /// `main`, `translation` or `pronunciation`; nil from servers that don't tell.
    package var kind: String?
    /// The lines in order, with the server's offset taken into their times.
    package var lines: [Line]
}

/// How words are read.
extension SubsonicLyrics {
    private enum Member: String, CaseIterable {
        case lang, synced, kind, offset, line, start, value
    }

    private static let names = MemberNames<Member>()

    /// Reads words; nil where there is no object or none with lines.
    init?(_ reader: inout JSONReader) throws(JSONProblem) {
        var lyrics = SubsonicLyrics(isSynced: false, lines: [])
        var offset: Int64 = 0
        try reader.members { (reader, name) throws(JSONProblem) in
            switch Self.names[name] {
            case .lang: lyrics.language = try reader.nonEmptyText() ?? lyrics.language
            case .synced: lyrics.isSynced = try reader.bool() ?? false
            case .kind: lyrics.kind = try reader.nonEmptyText()
            case .offset: offset = try reader.integer() ?? 0
            case .line: lyrics.lines = try Self.lines(&reader)
            case .start, .value, nil: try reader.skip()
            }
        }
        if lyrics.lines.isEmpty { return nil }
        // A positive offset lets the words come sooner.
        let sooner = Duration.milliseconds(offset)
        for index in lyrics.lines.indices {
            lyrics.lines[index].start = lyrics.lines[index].start.map { max(.zero, $0 - sooner) }
        }
        self = lyrics
    }

    private static func lines(_ reader: inout JSONReader) throws(JSONProblem) -> [Line] {
        var lines: [Line] = []
        try reader.elements { (reader) throws(JSONProblem) in
            var line = Line(text: "")
            try reader.members { (reader, name) throws(JSONProblem) in
                switch Self.names[name] {
                case .start: line.start = try reader.integer().map { .milliseconds($0) }
                case .value: line.text = try reader.text() ?? ""
                default: try reader.skip()
                }
            }
            lines.append(line)
        }
        return lines
    }
}
