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
        guard sessions.contains(token), !refusesCredentials else {
            return .native(FakeJSON.object([("error", .string("Not authenticated"))]), status: 401)
        }
        let fresh = makeToken()
        var answer: FakeAnswer
        switch request.path {
        case "/api/events": return nil
        case "/api/song": answer = nativeSongs(request)
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
        let expected = FakeJSON.object([("username", .string(options.user)), ("password", .string(options.password))])
        guard request.body == expected.bytes, !refuses else {
            return .native(FakeJSON.object([("error", .string("Invalid username or password"))]), status: 401)
        }
        return .native(
            FakeJSON.object([
                ("id", .string("u1")), ("isAdmin", .bool(true)), ("name", .string("Dev Admin")),
                ("token", .string(makeToken())), ("username", .string(options.user)),
            ]))
    }

    /// A token that is taken from now on; the older ones are, too.
    mutating func makeToken() -> String {
        let token = "jwt.\(SplitMix64.id(for: "session \(sessions.count)")).\(sessions.count)"
        sessions.insert(token)
        return token
    }

    private func nativeSongs(_ request: FakeRequest, missing: Bool? = nil) -> FakeAnswer {
        let wanted = missing ?? request["missing"].map { $0 == "true" }
        var songs = library.songs.filter { wanted == nil || $0.isMissing == wanted }
        switch request["_sort"] {
        case "updated_at": songs.sort { ($0.modified, $0.id) < ($1.modified, $1.id) }
        case "created_at": songs.sort { ($0.created, $0.id) < ($1.created, $1.id) }
        case "duration": songs.sort { ($0.duration, $0.id) < ($1.duration, $1.id) }
        default: songs.sort { $0.id < $1.id }
        }
        if request["_order"] == "DESC" { songs.reverse() }
        let start = min(max(0, request.int("_start") ?? 0), songs.count)
        let end = min(max(start, request.int("_end") ?? songs.count), songs.count)
        var answer = FakeAnswer.native(.array(songs[start..<end].map(nativeSong)))
        answer.headers.append(("X-Total-Count", String(songs.count)))
        return answer
    }

    /// A song of which the texts matter that the Subsonic API keeps out of lists.
    private func nativeSong(_ song: FakeSong) -> FakeJSON {
        // A text with JSON in it.
        let lyrics = FakeJSON.array((lyricsBySong[song.id] ?? []).map { $0.json(for: song) }).bytes
        var members: [(name: String, value: FakeJSON)] = [
            ("id", .string(song.id)), ("path", .string(song.path)), ("title", .string(song.title)),
            ("duration", .double(Double(song.duration))), ("lyrics", .string(String(decoding: lyrics, as: UTF8.self))),
        ]
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
    package func endSessions() { withState { $0.sessions = [] } }

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
