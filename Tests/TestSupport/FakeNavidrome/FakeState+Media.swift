import Glibc

/// Pictures and sound.
extension FakeState {
    func picture(_ request: FakeRequest) -> FakeAnswer {
        let edge = min(max(request.int("size") ?? 0, 0), 600)
        guard let id = request["id"] else { return Self.placeholder }
        let key = id.split(separator: "-").last.map { String($0.prefix { $0 != "_" && $0 != ":" }) } ?? ""
        if let song = song(key) { return song.hasPicture ? Self.png(song.albumID, edge) : Self.placeholder }
        guard listed.contains(where: { library.songs[$0].albumID == key }) else {
            return error(70, "Artwork not found")
        }
        return Self.png(key, edge)
    }

    /// What the real server sends for things without a picture, in the same size whatever was asked for.
    private static let placeholder = png("placeholder", 300)

    private static func png(_ key: String, _ edge: Int) -> FakeAnswer {
        let body = FakeMedia.picture(for: key, edge: edge == 0 ? 64 : edge)
        return FakeAnswer(headers: [("Content-Type", "image/png")], body: body, announcesLength: false)
    }

    mutating func stream(_ request: FakeRequest) -> FakeAnswer {
        guard let id = request["id"] else { return error(10, "missing parameter: 'id'") }
        guard let song = song(id) else { return error(70, "data not found") }
        if song.isMissing { return error(0, "Internal Server Error: open \(song.path): no such file or directory") }
        let file = audioFile(of: song)
        let bytes = file.flatMap { Self.contents(of: $0) } ?? sound(of: song)
        let type = file.map { Self.contentType(of: $0) } ?? song.contentType
        if let format = request["format"], format != "raw", format != song.suffix {
            let headers = [("Accept-Ranges", "none"), ("Content-Type", "audio/mpeg")]
            return FakeAnswer(headers: headers, body: Array(bytes.prefix(bytes.count / 2)), announcesLength: false)
        }
        let range = options.ignoresRanges ? nil : request.headers["range"]
        var answer = part(of: bytes, type: type, range: range)
        if answer.status < 300 { answer.headers.append(("Last-Modified", FakeTime.inHTTP(song.modified))) }
        return answer
    }

    /// Decides to convert a song to the first of the forms that the client names.
    func decide(_ request: FakeRequest) -> FakeAnswer {
        guard request.method == "POST", let id = request["mediaId"], song(id) != nil else {
            return error(70, "media file not found")
        }
        let body = String(decoding: request.body, as: UTF8.self)
        let form = body.split(separator: "\"container\":\"").dropFirst().first?.prefix { $0 != "\"" }
        var decision: [(name: String, value: FakeJSON)] = [
            ("canDirectPlay", .bool(false)), ("canTranscode", .bool(form != nil)),
            ("transcodeReason", .array([.string("container not supported")])),
        ]
        if let form { decision.append(("transcodeParams", .string("\(form).\(id)"))) }
        return ok([("transcodeDecision", .object(decision))])
    }

    /// Converts a song as it decided.
    mutating func converted(_ request: FakeRequest) -> FakeAnswer {
        guard let id = request["mediaId"], let parts = request["transcodeParams"]?.split(separator: "."),
            parts.count == 2, parts[1] == id
        else { return .text(400, "Bad Request\n") }
        var wanted = request
        wanted.parameters.append(FakeParameter(name: "id", value: id))
        wanted.parameters.append(FakeParameter(name: "format", value: String(parts[0])))
        return stream(wanted)
    }

    private func part(of bytes: [UInt8], type: String, range: String?) -> FakeAnswer {
        var answer = FakeAnswer(headers: [("Accept-Ranges", "bytes"), ("Content-Type", type)], body: bytes)
        guard let range, range.hasPrefix("bytes=") else { return answer }
        let ends = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard ends.count == 2 else { return answer }
        let last = bytes.count - 1
        let first = ends[0] ?? max(0, bytes.count - (ends[1] ?? 0))
        let end = ends[0] == nil ? last : min(ends[1] ?? last, last)
        guard first <= end else {
            var refusal = FakeAnswer.text(416, "invalid range: failed to overlap\n")
            refusal.headers.append(("Content-Range", "bytes */\(bytes.count)"))
            return refusal
        }
        answer.status = 206
        answer.headers.append(("Content-Range", "bytes \(first)-\(end)/\(bytes.count)"))
        answer.body = Array(bytes[first...end])
        return answer
    }

    private static func contentType(of path: String) -> String {
        switch path.split(separator: ".").last {
        case "flac": "audio/flac"
        case "mp3": "audio/mpeg"
        case "m4a": "audio/mp4"
        case "ogg", "opus": "audio/ogg"
        default: "audio/x-wav"
        }
    }

    private static func contents(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: ftell(file))
        rewind(file)
        let count = fread(&bytes, 1, bytes.count, file)
        return count == bytes.count ? bytes : nil
    }
}
