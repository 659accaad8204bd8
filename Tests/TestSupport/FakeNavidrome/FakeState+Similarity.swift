/// How a server answers that is asked which songs are alike.
enum FakeSimilarity: String {
    /// With songs of its own.
    case right
    /// With none.
    case empty
    /// With songs that no library has, and numbers that are no likeness.
    case wrong
    /// With ten megabytes.
    case large
}

/// Songs that go with others: always the same ones, by their places in the library.
extension FakeState {
    /// `getSonicSimilarTracks`, which only servers with a plug-in have.
    func sonicSimilarTracks(_ request: FakeRequest) -> FakeAnswer {
        guard let place = request["id"].flatMap({ placeByID[$0] }) else { return error(70, "Song not found") }
        if similarity == .wrong {
            let matches = ["1e308", "-7", "null", "\"near\""].enumerated().map { number, text in
                FakeJSON.object([("entry", Self.stranger(number)), ("similarity", .raw(text))])
            }
            return ok([("sonicSimilarTracks", .object([("sonicMatch", .array(matches))]))])
        }
        let matches = neighbours(place, step: 7, request).enumerated().map { rank, other in
            FakeJSON.object([
                ("entry", library.songs[other].json(size: 1)), ("similarity", .double(0.95 - Double(rank) / 100)),
            ])
        }
        return ok([("sonicSimilarTracks", .object([("sonicMatch", .array(matches))]))])
    }

    /// `getSimilarSongs2`.
    func similarSongs(_ request: FakeRequest) -> FakeAnswer {
        guard let place = request["id"].flatMap({ placeByID[$0] }) else { return error(70, "Song not found") }
        var songs = neighbours(place, step: 11, request).map { library.songs[$0].json(size: 1) }
        if similarity == .wrong { songs = (0..<50).map { Self.stranger($0) } }
        return ok([("similarSongs2", .object([("song", .array(songs))]))])
    }

    /// `getTopSongs`.
    func topSongs(_ request: FakeRequest) -> FakeAnswer {
        let found = listed.filter { library.songs[$0].artists.first == request["artist"] }
        var songs = found.prefix(request.int("count") ?? 50).map { library.songs[$0].json(size: 1) }
        if similarity != .right { songs = similarity == .empty ? [] : (0..<10).map { Self.stranger($0) } }
        return ok([("topSongs", .object([("song", .array(Array(songs)))]))])
    }

    /// `getArtistInfo2`; artists that it doesn't have come last, as in Navidrome.
    mutating func artistInfo(_ request: FakeRequest) -> FakeAnswer {
        let names = artistNames()
        guard let place = names.firstIndex(where: { FakeSong.artistID($0) == request["id"] }) else {
            return error(70, "data not found")
        }
        var found: [FakeJSON] = []
        switch similarity {
        case .right:
            let count = max(request.int("count") ?? 20, 0)
            found = (1...5).map { json(ofArtist: names[(place + $0 * 3) % names.count]) }
            if request["includeNotPresent"] == "true" { found += ["Far Away", "Elsewhere"].map { Self.absent($0) } }
            found = Array(found.prefix(count))
        case .empty: break
        case .wrong:
            let own = FakeSong.artistID(names[place])
            found = [
                .raw("7"), .raw("null"), .raw(#"["a"]"#), .raw(#"{"id":{"id":"x"},"name":["y"]}"#),
                .raw(#"{"id":"n"}"#),
                .object([("id", .string(own)), ("name", .string(names[place]))]),
                Self.absent(#"<img src=x onerror="refused.push('ran')">"#), Self.absent("Ends\u{202E}here\n\u{7}"),
                Self.absent(String(repeating: "wide", count: 200)),
                Self.absent(String(repeating: "long", count: 100_000)),
            ]
            found += (0..<30).map { Self.absent("Stranger \($0)") }
        case .large: found = (0..<200_000).map { Self.absent("Stranger \($0)") }
        }
        let url = "http://127.0.0.1/share/img/JWT"
        var members: [(name: String, value: FakeJSON)] = [
            ("smallImageUrl", .string("\(url)?size=300")), ("mediumImageUrl", .string("\(url)?size=600")),
            ("largeImageUrl", .string("\(url)?size=1200")),
        ]
        if !found.isEmpty { members.append(("similarArtist", .array(found))) }
        return ok([("artistInfo2", .object(members))])
    }

    /// An artist of whom the server has nothing: its id is -1.
    private static func absent(_ name: String) -> FakeJSON {
        .object([("id", .string("-1")), ("name", .string(name)), ("albumCount", .int(0))])
    }

    /// A song that is in no library.
    private static func stranger(_ number: Int) -> FakeJSON {
        .object([("id", .string("stranger\(number)")), ("isDir", .bool(false)), ("title", .string("Stranger"))])
    }

    private func neighbours(_ place: Int, step: Int, _ request: FakeRequest) -> [Int] {
        if similarity == .empty { return [] }
        let count = min(max(request.int("count") ?? 10, 0), listed.count / step)
        return (1...max(count, 1)).prefix(count).map { listed[(place + $0 * step) % listed.count] }
    }
}
