/// Words of songs.
extension FakeState {
    /// `getLyricsBySongId`.
    func lyrics(_ request: FakeRequest) -> FakeAnswer {
        guard options.kind == .navidrome else { return error(0, "Unknown method", status: 404) }
        guard let id = request["id"] else { return error(10, "missing parameter: 'id'") }
        guard let song = song(id) else { return error(70, "data not found") }
        let list = (lyricsBySong[id] ?? []).map { $0.json(for: song) }
        return ok([("lyricsList", .object(list.isEmpty ? [] : [("structuredLyrics", .array(list))]))])
    }

    /// `getLyrics`, which finds by artist and title and knows no times.
    func plainLyrics(_ request: FakeRequest) -> FakeAnswer {
        let song = library.songs.first { song in
            song.title == request["title"] && song.artists.first == request["artist"]
        }
        let words = song.flatMap { lyricsBySong[$0.id]?.first }
        guard let song, let words else { return ok([("lyrics", .object([("value", .string(""))]))]) }
        let text = words.lines.map { $0.text + "\n" }.joined()
        return ok([
            (
                "lyrics",
                .object([
                    ("artist", .string(song.artists.first ?? "")), ("title", .string(song.title)),
                    ("value", .string(text)),
                ])
            )
        ])
    }
}

/// Words of a song in one language.
package struct FakeLyrics: Hashable, Sendable {
    /// A line with its time in milliseconds, if any.
    package struct Line: Hashable, Sendable {
        var start: Int64?
        var text: String
    }

    /// The language.
    package var language = "eng"
    /// `main`, `translation`, ...; nil is not written.
    package var kind: String?
    /// Milliseconds that the words come sooner; nil is not written.
    package var offset: Int64?
    /// The lines.
    package var lines: [Line]

    /// Makes words; those with times are synced.
    package init(_ lines: [(Int64?, String)], language: String = "eng", kind: String? = nil, offset: Int64? = nil) {
        self.lines = lines.map { Line(start: $0.0, text: $0.1) }
        self.language = language
        self.kind = kind
        self.offset = offset
    }

    func json(for song: FakeSong) -> FakeJSON {
        let lines = lines.map { line in
            FakeJSON.object((line.start.map { [("start", .int($0))] } ?? []) + [("value", .string(line.text))])
        }
        var members: [(name: String, value: FakeJSON)] = [
            ("displayArtist", .string(song.artists.first ?? "")), ("displayTitle", .string(song.title)),
        ]
        if let kind { members.append(("kind", .string(kind))) }
        members += [("lang", .string(language)), ("line", .array(lines))]
        if let offset { members.append(("offset", .int(offset))) }
        members.append(("synced", .bool(self.lines.contains { $0.start != nil })))
        return .object(members)
    }
}

extension FakeNavidrome {
    /// Gives a song words.
    package func setLyrics(of song: String, _ lyrics: FakeLyrics...) { withState { $0.lyricsBySong[song] = lyrics } }
}
