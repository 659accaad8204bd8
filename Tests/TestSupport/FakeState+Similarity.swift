/// How a server answers that is asked which songs are alike.
enum FakeSimilarity: String {
    /// With songs of its own.
    case right
    /// With none.
    case empty
    /// With songs that no library has, and numbers that are no likeness.
    case wrong
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
