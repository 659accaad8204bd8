import Synchronization

/// Steering over HTTP, for tests from outside the process: `GET /_control/NAME?...`.
///
/// `touch`, `add`, `remove`, `restore`, `move` (with `n`), `rebuild`, `scan`, `station` (with `label` and `url`),
/// `backup`, `recover` (goes back to it),
/// `song` (with `n` as its place, and `title`, `sound`, a path, `loudness`, in JSON, `duration`, in seconds, and
/// `cuesheet`, a tag), `lyrics` (of the song at the place `n`, as `text`), `fault` (with `mode` and its
/// values), `similarity` (with `mode`), `scrobbles`, `requests`. Answers are JSON.
extension FakeNavidrome {
    func controlled(_ request: FakeRequest) -> FakeAnswer {
        let count = request.int("n") ?? 1
        switch request.call {
        case "touch": return changed { $0.touch(count) }
        case "add": return changed { $0.add(count) }
        case "remove": return changed { $0.remove(count) }
        case "restore": return changed { $0.restore(count) }
        case "move": return changed { $0.move(count) }
        case "rebuild": return changed { $0.rebuild() }
        case "scan": return changed { _ in [] }
        case "backup", "recover":
            withState { request.call == "backup" ? $0.backUp() : $0.recover() }
            return .json(FakeJSON.object([("songs", .int(Int64(songs.count)))]).bytes)
        case "station": return addStation(request)
        case "song": return editSong(count, request)
        case "lyrics": return setLyrics(count, request)
        case "fault": return fault(request)
        case "similarity":
            guard let similarity = request["mode"].flatMap(FakeSimilarity.init(rawValue:)) else {
                return .text(404, "no such similarity\n")
            }
            withState { $0.similarity = similarity }
            return .json(FakeJSON.object([("mode", .string(similarity.rawValue))]).bytes)
        case "connections":
            return .json(FakeJSON.object([("count", .int(Int64(connectionCount)))]).bytes)
        case "scrobbles": return Self.answer(scrobbles)
        case "requests":
            let rows = requests.map { FakeJSON.string("\($0.method) \($0.call) \($0.headers["range"] ?? "")") }
            return .json(FakeJSON.object([("count", .int(Int64(rows.count))), ("rows", .array(rows))]).bytes)
        default: return .text(404, "no such control\n")
        }
    }

    private func changed(_ body: @Sendable (inout FakeLibrary) -> [Int]) -> FakeAnswer {
        let ids = change(body)
        return .json(
            FakeJSON.object([
                ("count", .int(Int64(ids.count))), ("ids", .array(ids.prefix(1000).map { .string($0) })),
                ("songs", .int(Int64(songs.count))),
            ]).bytes)
    }

    private static func answer(_ scrobbles: [FakeScrobble]) -> FakeAnswer {
        let rows = scrobbles.map { scrobble in
            FakeJSON.object([
                ("id", .string(scrobble.id)), ("time", .int(scrobble.time ?? 0)),
                ("submission", .bool(scrobble.isSubmission)),
            ])
        }
        return .json(FakeJSON.object([("count", .int(Int64(rows.count))), ("rows", .array(rows))]).bytes)
    }

    private func addStation(_ request: FakeRequest) -> FakeAnswer {
        let number = stations.count + 1
        stations.append(
            FakeStation(id: "station\(number)", name: request["label"] ?? "", streamURL: request["url"] ?? ""))
        return .json(FakeJSON.object([("count", .int(Int64(number)))]).bytes)
    }

    private func editSong(_ place: Int, _ request: FakeRequest) -> FakeAnswer {
        guard songs.indices.contains(place) else { return .text(404, "no such song\n") }
        return changed { library in
            library.edit(place) { song in
                song.title = request["title"] ?? song.title
                song.soundPath = request["sound"] ?? song.soundPath
                song.loudness = request["loudness"] ?? song.loudness
                song.duration = request.int("duration") ?? song.duration
                if let sheet = request["cuesheet"] { song.tags["cuesheet"] = sheet.isEmpty ? nil : sheet }
                song.modified += 1000
            }
            return [place]
        }
    }

    private func setLyrics(_ place: Int, _ request: FakeRequest) -> FakeAnswer {
        guard songs.indices.contains(place) else { return .text(404, "no such song\n") }
        let lines = (request["text"] ?? "").split(whereSeparator: \.isNewline).map { (Int64?.none, String($0)) }
        let id = songs[place].id
        withState { $0.lyricsBySong[id] = lines.isEmpty ? nil : [FakeLyrics(lines, language: "xxx")] }
        return changed { _ in [place] }
    }

    private func fault(_ request: FakeRequest) -> FakeAnswer {
        let name = request["mode"] ?? "none"
        guard name == "none" || Self.mode(name, request) != nil else { return .text(404, "no such fault\n") }
        let faults = Self.mode(name, request).map {
            [FakeFault($0, match: request["match"], count: request.int("count"))]
        }
        noteFaults(faults ?? [])
        return .json(FakeJSON.object([("mode", .string(name))]).bytes)
    }

    private static func mode(_ name: String, _ request: FakeRequest) -> FakeFault.Mode? {
        switch name {
        case "down": .down
        case "slow": .slow(bytesPerSecond: request.int("rate") ?? 16384)
        case "http500": .http500
        case "internal": .internalError
        case "status": .status(request.int("status") ?? 502)
        case "auth": .wrongCredentials
        case "garbage": .garbage
        case "html": .html
        case "cut": .cut(after: request.int("after") ?? 65536)
        case "ratelimit": .rateLimited(retryAfter: request.int("retry_after"))
        case "delay": .delay(milliseconds: request.int("ms") ?? 500)
        default: nil
        }
    }
}
