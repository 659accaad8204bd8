/// The calls.
extension FakeState {
    /// Answers a request under `/rest/`.
    mutating func answer(_ request: FakeRequest, refusesCredentials: Bool) -> FakeAnswer {
        if options.refusesPost && request.method == "POST" { return .text(405, "Method Not Allowed\n") }
        let isOpen = request.call == "getOpenSubsonicExtensions" && options.kind == .navidrome
        if !isOpen, let failure = authenticate(request, refusesCredentials) { return failure }
        become(request["u"] ?? "")
        if let body = canned[request.call] { return .json(body) }
        if let answer = marksAnswer(request) { return answer }
        switch request.call {
        case "ping": return ok()
        case "getOpenSubsonicExtensions" where options.kind == .navidrome: return ok(extensions)
        case "getScanStatus":
            goOnScanning()
            return scanStatus
        case "startScan":
            if !mayScan { return error(50, "User is not authorized for the given operation") }
            beginScan()
            return scanStatus
        case "getMusicFolders": return ok(musicFolders)
        case "search3": return search(request)
        case "getSong": return song(request)
        case "getAlbumList2": return albumList(request)
        case "getIndexes" where options.showsFolders: return folder("")
        case "getMusicDirectory" where options.showsFolders: return folder(request["id"] ?? "")
        case "getPlaylists": return ok(playlistsMember)
        case "getPlaylist": return playlist(request)
        case "createPlaylist": return createPlaylist(request)
        case "updatePlaylist": return updatePlaylist(request)
        case "deletePlaylist": return deletePlaylist(request)
        case "savePlayQueue", "savePlayQueueByIndex", "getPlayQueue", "getPlayQueueByIndex":
            return playQueue(request)
        case "getStarred2": return starred()
        case "getInternetRadioStations": return ok(stationsMember)
        case "getSonicSimilarTracks" where options.hearsSound: return sonicSimilarTracks(request)
        case "getSimilarSongs2" where options.kind == .navidrome: return similarSongs(request)
        case "getTopSongs" where options.kind == .navidrome: return topSongs(request)
        case "getArtistInfo2" where options.kind == .navidrome: return artistInfo(request)
        case "scrobble": return scrobble(request)
        case "getCoverArt": return picture(request)
        case "getLyricsBySongId": return lyrics(request)
        case "getLyrics": return plainLyrics(request)
        case "createBookmark" where options.kind == .navidrome: return createBookmark(request)
        case "deleteBookmark" where options.kind == .navidrome: return deleteBookmark(request)
        case "getBookmarks" where options.kind == .navidrome: return bookmarkList
        case "stream", "download": return stream(request)
        case "getTranscodeDecision" where options.kind == .navidrome: return decide(request)
        case "getTranscodeStream" where options.kind == .navidrome: return converted(request)
        default:
            return options.kind == .supysonic
                ? error(0, "Unknown method", status: 404) : .text(404, "404 page not found\n")
        }
    }

    // MARK: Frames

    /// A successful answer with some members.
    func ok(_ members: [(name: String, value: FakeJSON)] = []) -> FakeAnswer {
        .json(FakeJSON.object([("subsonic-response", .object(frame("ok") + members))]).bytes)
    }

    /// An error, which comes with HTTP 200 mostly.
    func error(_ code: Int, _ message: String, status: Int = 200) -> FakeAnswer {
        let failure = FakeJSON.object([("code", .int(Int64(code))), ("message", .string(message))])
        var answer = FakeAnswer.json(
            FakeJSON.object([("subsonic-response", .object(frame("failed") + [("error", failure)]))]).bytes)
        answer.status = status
        return answer
    }

    /// A successful answer whose only member is already rendered.
    private func ok(_ name: String, opening: String, items: [[UInt8]], closing: String) -> FakeAnswer {
        var bytes = ok().body
        // The two closing braces come back at the end.
        bytes.removeLast(2)
        bytes.reserveCapacity(bytes.count + items.reduce(64) { $0 + $1.count + 1 })
        bytes += Array(",\"\(name)\":\(opening)".utf8)
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += item
        }
        bytes += Array("\(closing)}}".utf8)
        return .json(bytes)
    }

    private func frame(_ status: String) -> [(name: String, value: FakeJSON)] {
        if options.kind == .supysonic { return [("status", .string(status)), ("version", .string("1.12.0"))] }
        return [
            ("status", .string(status)), ("version", .string("1.16.1")), ("type", .string("navidrome")),
            ("serverVersion", .string("0.63.2 (be10f89c)")), ("openSubsonic", .bool(true)),
        ]
    }

    private func authenticate(_ request: FakeRequest, _ refuses: Bool) -> FakeAnswer? {
        for name in ["u", "v", "c"] where request[name] == nil {
            return error(10, "missing parameter: '\(name)'")
        }
        let password: String? = request["p"].map { given in
            given.hasPrefix("enc:") ? Self.unhex(given.dropFirst(4)) : given
        }
        var isRight = password == options.password
        if options.kind == .supysonic {
            if password == nil { return error(10, "A required parameter is missing.") }
        } else if password == nil, let token = request["t"], let salt = request["s"], !salt.isEmpty {
            isRight = token == MD5.hexadecimal(options.password + salt)
        }
        let isUser = request["u"].map { $0 == options.user || options.others.contains($0) } ?? false
        return isRight && isUser && !refuses ? nil : error(40, "Wrong username or password")
    }

    private static func unhex(_ digits: Substring) -> String {
        let digits = Array(digits)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: The server

    private var extensions: [(name: String, value: FakeJSON)] {
        let sound: [(String, [Int64])] = options.hearsSound ? [("sonicSimilarity", [1])] : []
        let known: [(String, [Int64])] =
            sound + [
                ("transcodeOffset", [1]), ("formPost", [1]), ("songLyrics", [1, 2]), ("indexBasedQueue", [1]),
                ("transcoding", [1]), ("playbackReport", [1]),
            ]
        let list = known.map { name, versions in
            FakeJSON.object([("name", .string(name)), ("versions", .array(versions.map { .int($0) }))])
        }
        return [("openSubsonicExtensions", .array(list))]
    }

    private var scanStatus: FakeAnswer {
        if options.kind == .supysonic { return error(0, "Couldn't connect to daemon at /tmp/supysonic.sock") }
        let scan = FakeTime.iso(lastScan / 1_000_000_000, nanoseconds: lastScan % 1_000_000_000)
        return ok([
            (
                "scanStatus",
                .object([
                    // Songs of all libraries, whatever the user sees.
                    ("scanning", .bool(isScanning)),
                    ("count", .int(Int64(library.songs.count { !$0.isMissing }))),
                    ("folderCount", .int(10)), ("lastScan", .string(scan)), ("scanType", .string("full")),
                    ("elapsedTime", .int(689_703_589)),
                ])
            )
        ])
    }

    private var musicFolders: [(name: String, value: FakeJSON)] {
        let folders = seen.sorted().map {
            FakeJSON.object([("id", .int(Int64($0))), ("name", .string("Library \($0)"))])
        }
        return [("musicFolders", .object([("musicFolder", .array(folders))]))]
    }

    // MARK: Lists

    private mutating func search(_ request: FakeRequest) -> FakeAnswer {
        let query = (request["query"] ?? "").lowercased()
        let isForAll =
            options.findsAll && (query.isEmpty || (query == "\"\"" && options.kind == .navidrome))
        var bytes: [[UInt8]] = []
        let window: (String, Int) -> Range<Int> = { kind, total in
            let start = min(max(0, request.int("\(kind)Offset") ?? 0), total)
            let count = request.int("\(kind)Count") ?? 20
            return start..<(count < 0 ? total : min(total, start + count))
        }
        var found = isForAll ? listed : []
        if !query.isEmpty, !isForAll { found = listed.filter { library.songs[$0].title.lowercased().contains(query) } }
        let places = found[window("song", found.count)]
        let plays = albumPlays()
        let albumsFound = isForAll && window("album", 1 << 30).isEmpty == false ? albums() : []
        let albumList = albumsFound[window("album", albumsFound.count)].map { json(of: $0, plays).bytes }
        let names = isForAll && window("artist", 1 << 30).isEmpty == false ? artistNames() : []
        let artistList = names[window("artist", names.count)].map { json(ofArtist: $0).bytes }
        let songList = places.map { json(at: $0) }
        for (name, items) in [("artist", artistList), ("album", albumList), ("song", songList)] where !items.isEmpty {
            bytes.append(Self.list(name, items))
        }
        return ok("searchResult3", opening: "{", items: bytes, closing: "}")
    }

    private static func list(_ name: String, _ items: [[UInt8]]) -> [UInt8] {
        var bytes = Array("\"\(name)\":".utf8)
        bytes.reserveCapacity(items.reduce(64) { $0 + $1.count + 1 })
        for item in items {
            bytes.append(bytes.last == UInt8(ascii: ":") ? UInt8(ascii: "[") : UInt8(ascii: ","))
            bytes += item
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }

    private mutating func song(_ request: FakeRequest) -> FakeAnswer {
        guard let place = request["id"].flatMap({ placeByID[$0] }) else { return error(70, "Song not found") }
        return ok("song", opening: "", items: [json(at: place)], closing: "")
    }

    private mutating func albumList(_ request: FakeRequest) -> FakeAnswer {
        let all = albums(ofType: request["type"])
        let plays = albumPlays()
        let start = min(max(0, request.int("offset") ?? 0), all.count)
        let end = min(all.count, start + min(request.int("size") ?? 10, 500))
        let page = all[start..<max(start, end)].map { json(of: $0, plays) }
        var answer = ok([("albumList2", .object([("album", .array(page))]))])
        answer.headers.append(("X-Total-Count", String(all.count)))
        return answer
    }

    private mutating func starred() -> FakeAnswer {
        let songs = listed.filter { library.songs[$0].isStarred }.map { library.songs[$0].json(size: 1) }
        return ok([("starred2", .object(starredCatalog() + (songs.isEmpty ? [] : [("song", .array(songs))])))])
    }

    private var stationsMember: [(name: String, value: FakeJSON)] {
        let list = stations.map { station in
            var members: [(name: String, value: FakeJSON)] = [
                ("id", .string(station.id)), ("name", .string(station.name)), ("streamUrl", .string(station.streamURL)),
            ]
            if let coverArt = station.coverArt { members.append(("coverArt", .string(coverArt))) }
            return FakeJSON.object(members)
        }
        let inner: [(name: String, value: FakeJSON)] = list.isEmpty ? [] : [("internetRadioStation", .array(list))]
        return [("internetRadioStations", .object(inner))]
    }

    // MARK: Plays

    private mutating func scrobble(_ request: FakeRequest) -> FakeAnswer {
        let ids = request.all("id")
        let times = request.all("time").map { Int64($0) }
        if ids.isEmpty { return error(10, "missing parameter: 'id'") }
        if !times.isEmpty && times.count != ids.count { return error(0, "Wrong number of timestamps") }
        let isSubmission = request["submission"] != "false"
        for (index, id) in ids.enumerated() {
            let time = times.isEmpty ? nil : times[index]
            var scrobble = FakeScrobble(id: id, time: time, isSubmission: isSubmission)
            scrobble.user = asking
            scrobbles.append(scrobble)
            guard isSubmission, let place = placeByID[id] else { continue }
            library.songs[place].playCount += 1
            library.songs[place].lastPlayed = max(library.songs[place].lastPlayed ?? 0, time ?? 0)
            forget(place)
        }
        return ok()
    }
}
