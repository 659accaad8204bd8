import Coordination
import Foundation
import NIOCore
import Synchronization

/// Navidrome's own API: sign-in, event stream, and lists of songs by the time of their last change.
extension FakeState {
    /// Answers a request under `/auth/` or `/api/`; nil is the event stream.
    mutating func native(_ request: FakeRequest, refusesCredentials: Bool) -> FakeAnswer? {
        if options.kind == .supysonic { return .text(404, "Not Found\n") }
        if request.path == "/auth/login" { return signIn(request, refusesCredentials) }
        let header = request.headers["x-nd-authorization"] ?? ""
        let token = header.hasPrefix("Bearer ") ? String(header.dropFirst(7)) : request["jwt"] ?? ""
        guard let user = sessions[token], !refusesCredentials else {
            return .native(FakeJSON.object([("error", .string("Not authenticated"))]), status: 401)
        }
        become(user)
        let fresh = makeToken(of: user)
        var answer: FakeAnswer
        switch request.path {
        case "/api/events": return nil
        case "/api/song": answer = nativeSongs(request)
        case "/api/album": answer = nativeAlbums(request)
        case "/api/artist": answer = nativeArtists(request)
        case "/api/scrobble" where options.listsPlays: answer = nativePlays(request)
        case "/api/missing": answer = nativeSongs(request, missing: true)
        default:
            let song = request.path.hasPrefix("/api/song/") ? song(String(request.path.dropFirst(10))) : nil
            answer = song.map { .native(nativeSong($0)) } ?? .text(404, "404 page not found\n")
        }
        answer.headers.append(("X-Nd-Authorization", fresh))
        return answer
    }

    private mutating func signIn(_ request: FakeRequest, _ refuses: Bool) -> FakeAnswer {
        let now = ContinuousClock.now
        signIns.removeAll { now - $0 > .seconds(20) }
        signIns.append(now)
        if signIns.count > 5 {
            var answer = FakeAnswer.text(429, "Too Many Requests\n")
            answer.headers.append(("Retry-After", "20"))
            return answer
        }
        let login = try? JSONDecoder().decode([String: String].self, from: Data(request.body))
        let user = ([options.user] + options.others).first { login == ["username": $0, "password": options.password] }
        guard let user, !refuses else {
            return .native(FakeJSON.object([("error", .string("Invalid username or password"))]), status: 401)
        }
        return .native(
            FakeJSON.object([
                ("id", .string("u1")), ("isAdmin", .bool(true)), ("name", .string("Dev Admin")),
                ("token", .string(makeToken(of: user))), ("username", .string(user)),
            ]))
    }

    /// A token that is taken from now on; the older ones are, too.
    mutating func makeToken(of user: String) -> String {
        let token = "jwt.\(SplitMix64.id(for: "session \(sessions.count)")).\(sessions.count)"
        sessions[token] = user
        return token
    }

    private func nativeSongs(_ request: FakeRequest, missing: Bool? = nil) -> FakeAnswer {
        let wanted = missing ?? request["missing"].map { $0 == "true" }
        let album = request["album_id"]
        var songs = library.songs.filter { song in
            (wanted == nil || song.isMissing == wanted) && (album == nil || song.albumID == album)
                && seen.contains(song.libraryID) && !song.isForgotten
        }
        switch request["_sort"] {
        case "updated_at": songs.sort { ($0.modified, $0.id) < ($1.modified, $1.id) }
        case "created_at": songs.sort { ($0.created, $0.id) < ($1.created, $1.id) }
        case "duration": songs.sort { ($0.duration, $0.id) < ($1.duration, $1.id) }
        default: songs.sort { $0.id < $1.id }
        }
        if request["_order"] == "DESC" { songs.reverse() }
        return window(request, songs, nativeSong)
    }

    private func window<Item>(_ request: FakeRequest, _ items: [Item], _ json: (Item) -> FakeJSON) -> FakeAnswer {
        let start = min(max(0, request.int("_start") ?? 0), items.count)
        let end = min(max(start, request.int("_end") ?? items.count), items.count)
        var answer = FakeAnswer.native(.array(items[start..<end].map(json)))
        answer.headers.append(("X-Total-Count", String(items.count)))
        return answer
    }

    /// Albums of which all songs are missing are there, too.
    private func nativeAlbums(_ request: FakeRequest) -> FakeAnswer {
        let songs = library.songs.filter { seen.contains($0.libraryID) }
        let albums = Dictionary(songs.map { ($0.albumID, $0) }) { first, _ in first }.sorted { one, other in
            let isByTouch = request["_sort"] == "imported_at" && options.kind == .navidrome
            let (first, second) = isByTouch ? (touched[one.key] ?? 0, touched[other.key] ?? 0) : (0, 0)
            return (first, one.key) < (second, other.key)
        }
        return window(request, request["_order"] == "DESC" ? albums.reversed() : albums) { id, song in
            let time = touched[id] ?? 0
            let touch = FakeTime.iso(time / 1_000_000_000, nanoseconds: time % 1_000_000_000)
            return .object([
                ("id", .string(id)), ("libraryId", .int(Int64(song.libraryID))), ("name", .string(song.album)),
                ("albumArtist", .string(song.albumArtists.first ?? "")), ("missing", .bool(song.isMissing)),
                ("importedAt", .string(touch)), ("createdAt", .string(FakeTime.iso(song.created))),
                ("updatedAt", .string(FakeTime.iso(song.modified))),
            ])
        }
    }

    /// The plays that were counted, as versions behind 0.63 list them.
    private func nativePlays(_ request: FakeRequest) -> FakeAnswer {
        let time = (request["from"].flatMap { Int64($0) } ?? .min)...(request["to"].flatMap { Int64($0) } ?? .max)
        let plays = scrobbles.enumerated().filter {
            time.contains(($1.time ?? 0) / 1000) && $1.isSubmission && $1.user == asking
        }
        return window(request, plays) { number, play in
            .object([
                ("id", .int(Int64(number))), ("mediaFileId", .string(play.id)),
                ("submissionTime", .int((play.time ?? 0) / 1000)),
            ])
        }
    }

    private mutating func nativeArtists(_ request: FakeRequest) -> FakeAnswer {
        let wanted = request.all("id")
        let isPlain = library.isPlain
        let artists = artistNames().map { (id: FakeSong.artistID($0), name: $0) }
            .filter { wanted.isEmpty || wanted.contains($0.id) }.sorted { $0.id < $1.id }
        return window(request, artists) { id, name in
            let mbid: [(name: String, value: FakeJSON)] = isPlain ? [] : [("mbzArtistId", .string("mbid-\(id)"))]
            return .object(
                [("id", .string(id)), ("name", .string(name)), ("orderArtistName", .string(name.lowercased()))] + mbid)
        }
    }

    /// A song with what the Subsonic API tells of it, and what it does not.
    private func nativeSong(_ song: FakeSong) -> FakeJSON {
        // A text with JSON in it.
        let lyrics = FakeJSON.array((lyricsBySong[song.id] ?? []).map { $0.json(for: song) }).bytes
        var members: [(name: String, value: FakeJSON)] = [
            ("id", .string(song.id)), ("libraryId", .int(Int64(song.libraryID))), ("libraryPath", .string("/music")),
            ("folderId", .string(song.albumID)), ("path", .string(song.path)), ("title", .string(song.title)),
            ("album", .string(song.album)), ("artistId", .string(FakeSong.artistID(song.artists.first ?? ""))),
            ("artist", .string(song.artists.joined(separator: " • "))), ("albumId", .string(song.albumID)),
            ("trackNumber", .int(Int64(song.track))), ("discNumber", .int(Int64(song.disc))),
            ("year", .int(Int64(song.year ?? 0))), ("suffix", .string(song.suffix)),
            ("duration", .double(Double(song.duration) + song.fraction)), ("bitRate", .int(Int64(song.bitRate))),
            ("genres", .array(song.genres.map { .object([("id", .string($0)), ("name", .string($0))]) })),
            ("lyrics", .string(String(decoding: lyrics, as: UTF8.self))), ("rgTrackGain", .raw("null")),
        ]
        if let year = song.year, song.own["date"] == nil { members.append(("date", .string(String(year)))) }
        members += song.own.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }
        if !song.tags.isEmpty {
            let tags = song.tags.sorted { $0.key < $1.key }.map { (name: $0.key, value: FakeJSON.string($0.value)) }
            members.append(("tags", .object(tags.map { ($0.name, .array([$0.value])) })))
        }
        return .object(
            members + [
                ("missing", .bool(song.isMissing)), ("createdAt", .string(FakeTime.iso(song.created))),
                ("updatedAt", .string(FakeTime.iso(song.modified))),
            ])
    }
}

extension FakeAnswer {
    fileprivate static func native(_ body: FakeJSON, status: Int = 200) -> FakeAnswer {
        var answer = FakeAnswer.json(body.bytes)
        answer.status = status
        return answer
    }
}

/// Those who listen to events.
struct FakeListeners: Sendable {
    var lastID = 0
    /// Takes the text of an event to each listener's connection.
    var sends: [ObjectIdentifier: @Sendable (_ text: String) -> Void] = [:]
    /// Whether events get lost.
    var losesEvents = false
}

extension FakeNavidrome {
    /// How many listen to events now.
    package var listenerCount: Int { listeners.withLock { $0.sends.count } }

    /// Whether events get lost from now on, as they may.
    package var losesEvents: Bool {
        get { listeners.withLock { $0.losesEvents } }
        set { listeners.withLock { $0.losesEvents = newValue } }
    }

    /// Ends every session, as a change of the server's secret does.
    package func endSessions() { withState { $0.sessions = [:] } }

    /// Sends an event to everybody who listens.
    package func announce(_ event: String, _ data: String) {
        let (id, sends) = listeners.withLock { listeners in
            listeners.lastID += 1
            return (listeners.lastID, listeners.losesEvents ? [] : Array(listeners.sends.values))
        }
        for send in sends { send("id: \(id)\nevent: \(event)\ndata: \(data)\n\n") }
    }

    /// What a scan tells while it runs and at its end.
    func announceScan(changes: Bool) {
        announce("scanStatus", #"{"scanning":true,"count":0,"folderCount":0,"error":"","scanType":""}"#)
        announce("scanStatus", #"{"scanning":false,"count":0,"folderCount":0,"error":"","scanType":"quick"}"#)
        if changes { announce("refreshResource", #"{"*":"*"}"#) }
    }

    /// Has a connection hear of events until it closes.
    func addListener(_ channel: any Channel, send: @escaping @Sendable (_ text: String) -> Void) {
        let id = ObjectIdentifier(channel)
        listeners.withLock { $0.sends[id] = send }
        channel.closeFuture.whenComplete { _ in
            self.listeners.withLock { _ = $0.sends.removeValue(forKey: id) }
        }
        send("id: 0\nevent: serverStart\ndata: {\"startTime\":\"2026-11-21T01:18:15Z\",\"version\":\"0.63.2\"}\n\n")
    }
}
