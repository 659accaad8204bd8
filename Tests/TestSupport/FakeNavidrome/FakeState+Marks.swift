import Foundation

/// What the user did with an album or artist of the fake server.
package struct FakeMarks: Hashable, Sendable {
    /// When it was starred, in Unix milliseconds; nil if it isn't.
    package var starredAt: Int64?
    /// 1 to 5; 0 is not rated.
    package var rating = 0

    /// Nothing.
    package init() {}

    var members: [(name: String, value: FakeJSON)] {
        var members: [(name: String, value: FakeJSON)] = []
        if let starredAt { members.append(("starred", .string(FakeTime.iso(milliseconds: starredAt)))) }
        if rating > 0 { members.append(("userRating", .int(Int64(rating)))) }
        return members
    }
}

/// How often and when something was played.
struct FakePlays: Hashable, Sendable {
    var count = 0
    /// Unix milliseconds.
    var last: Int64 = 0
}

/// A `reportPlayback` that the fake server received.
package struct FakePlaybackReport: Hashable, Sendable {
    /// The song's id.
    package var id: String
    /// `starting`, `playing`, `paused` or `stopped`.
    package var state: String
    /// Milliseconds.
    package var position: Int
    /// Whether the server was told not to count it.
    package var isIgnored: Bool
}

/// Stars, ratings, and what is told of what plays.
extension FakeState {
    /// Answers a call about marks; nil for other calls.
    mutating func marksAnswer(_ request: FakeRequest) -> FakeAnswer? {
        switch request.call {
        case "star": star(request, true)
        case "unstar": star(request, false)
        case "setRating": rate(request)
        case "getAlbum": album(request)
        case "getArtist": artist(request)
        case "reportPlayback" where options.kind == .navidrome: report(request)
        default: nil
        }
    }

    // MARK: Giving

    private mutating func star(_ request: FakeRequest, _ isStarred: Bool) -> FakeAnswer {
        let ids = request.all("id") + request.all("albumId") + request.all("artistId")
        if ids.isEmpty { return error(10, "Required id parameter is missing") }
        for id in ids { star(id, isStarred) }
        return ok()
    }

    /// Stars a song, album or artist as another client would; unknown ids are accepted.
    mutating func star(_ id: String, _ isStarred: Bool) {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        if let place = placeByID[id] {
            library.edit(place) { song in
                song.isStarred = isStarred
                song.starredAt = isStarred ? now : nil
            }
            forget(place)
        } else {
            marks[id, default: FakeMarks()].starredAt = isStarred ? now : nil
        }
    }

    private mutating func rate(_ request: FakeRequest) -> FakeAnswer {
        guard let id = request["id"], let rating = request.int("rating") else {
            return error(10, "missing parameter: 'id'")
        }
        return rate(id, rating) ? ok() : error(70, "data not found")
    }

    /// Rates a song, album or artist as another client would; false where there is none.
    mutating func rate(_ id: String, _ rating: Int) -> Bool {
        if let place = placeByID[id] {
            library.edit(place) { $0.rating = rating }
            forget(place)
        } else if albums().contains(where: { $0.id == id })
            || artistNames().contains(where: { FakeSong.artistID($0) == id })
        {
            marks[id, default: FakeMarks()].rating = rating
        } else {
            return false
        }
        return true
    }

    // MARK: Asking

    /// Plays by the albums' ids; gathered once, since lists of large libraries must come fast.
    mutating func albumPlays() -> [String: FakePlays] {
        if let playsByAlbum { return playsByAlbum }
        var plays: [String: FakePlays] = [:]
        for place in listed where library.songs[place].playCount > 0 {
            let song = library.songs[place]
            plays[song.albumID, default: FakePlays()].count += song.playCount
            plays[song.albumID, default: FakePlays()].last = max(
                plays[song.albumID]?.last ?? 0, song.lastPlayed ?? 0)
        }
        playsByAlbum = plays
        return plays
    }

    /// An album with what the user did with it.
    func json(of album: FakeAlbum, _ plays: [String: FakePlays]) -> FakeJSON {
        guard case .object(let members) = album.json(isPlain: library.isPlain) else { return .object([]) }
        let played: [(name: String, value: FakeJSON)] =
            plays[album.id].map {
                [("playCount", .int(Int64($0.count))), ("played", .string(FakeTime.iso(milliseconds: $0.last)))]
            } ?? []
        return .object(members + (marks[album.id]?.members ?? []) + played)
    }

    /// The albums of a list, in its order.
    mutating func albums(ofType type: String?) -> [FakeAlbum] {
        let all = albums()
        switch type {
        case "highest":
            return all.filter { (marks[$0.id]?.rating ?? 0) > 0 }
                .sorted { (marks[$0.id]?.rating ?? 0) > (marks[$1.id]?.rating ?? 0) }
        case "starred": return all.filter { marks[$0.id]?.starredAt != nil }
        case "recent":
            let plays = albumPlays()
            return all.filter { plays[$0.id] != nil }
                .sorted { (plays[$0.id]?.last ?? 0) > (plays[$1.id]?.last ?? 0) }
        default: return all
        }
    }

    /// The starred albums and artists, for `getStarred2`.
    mutating func starredCatalog() -> [(name: String, value: FakeJSON)] {
        let plays = albumPlays()
        let starredAlbums = albums(ofType: "starred").map { json(of: $0, plays) }
        let artists = artistNames().filter { marks[FakeSong.artistID($0)]?.starredAt != nil }.map { json(ofArtist: $0) }
        return (artists.isEmpty ? [] : [("artist", .array(artists))])
            + (starredAlbums.isEmpty ? [] : [("album", .array(starredAlbums))])
    }

    /// An artist with what the user did with it.
    func json(ofArtist name: String) -> FakeJSON {
        let id = FakeSong.artistID(name)
        let members: [(name: String, value: FakeJSON)] = [
            ("id", .string(id)), ("name", .string(name)),
            ("musicBrainzId", .string(library.isPlain ? "" : "mbid-\(id)")), ("sortName", .string(name.lowercased())),
            ("roles", .array([.string("artist")])),
        ]
        return .object(members + (marks[id]?.members ?? []))
    }

    private mutating func album(_ request: FakeRequest) -> FakeAnswer {
        guard let album = albums().first(where: { $0.id == request["id"] }) else {
            return error(70, "Album not found")
        }
        guard case .object(let members) = json(of: album, albumPlays()) else { return error(0, "Internal error") }
        let list = songs(of: album).map { FakeJSON.raw(String(decoding: json(at: $0), as: UTF8.self)) }
        return ok([("album", .object(members + [("song", .array(list))]))])
    }

    private mutating func artist(_ request: FakeRequest) -> FakeAnswer {
        guard let name = artistNames().first(where: { FakeSong.artistID($0) == request["id"] }) else {
            return error(70, "Artist not found")
        }
        return ok([("artist", json(ofArtist: name))])
    }

    private func songs(of album: FakeAlbum) -> [Int] { listed.filter { library.songs[$0].albumID == album.id } }

    // MARK: What plays

    /// Counts a play at `stopped`, as Navidrome does, unless it is told not to.
    private mutating func report(_ request: FakeRequest) -> FakeAnswer {
        guard let id = request["mediaId"], let state = request["state"], let position = request.int("positionMs") else {
            return error(10, "missing parameter: 'mediaId'")
        }
        guard ["starting", "playing", "paused", "stopped"].contains(state) else {
            return error(0, "Invalid state: \(state)")
        }
        let isIgnored = request["ignoreScrobble"] == "true"
        reports.append(FakePlaybackReport(id: id, state: state, position: position, isIgnored: isIgnored))
        if let place = placeByID[id], state == "stopped", !isIgnored,
            position >= min(library.songs[place].duration * 500, 240_000)
        {
            library.edit(place) { $0.playCount += 1 }
            forget(place)
        }
        return ok()
    }
}

extension FakeTime {
    /// Unix milliseconds as the server writes them.
    static func iso(milliseconds: Int64) -> String {
        iso(milliseconds / 1000, nanoseconds: milliseconds % 1000 * 1_000_000)
    }
}

extension FakeNavidrome {
    /// Stars something as another client would.
    package func star(_ id: String, _ isStarred: Bool = true) { withState { $0.star(id, isStarred) } }

    /// Rates something as another client would; 0 takes the rating away.
    package func rate(_ id: String, _ rating: Int) { withState { _ = $0.rate(id, rating) } }

    /// What the user did with an album or artist.
    package func marks(of id: String) -> FakeMarks { withState { $0.marks[id] ?? FakeMarks() } }

    /// What was told of what plays, in order.
    package var playbackReports: [FakePlaybackReport] { withState { $0.reports } }
}
