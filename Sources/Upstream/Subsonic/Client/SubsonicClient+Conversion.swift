import Foundation

/// Songs in a form that the server makes of them.
extension SubsonicClient {
    /// The forms that are welcome, the best first.
    private static let profiles = """
        {"name":"segue","platform":"Linux","transcodingProfiles":[\
        {"container":"flac","audioCodec":"flac","protocol":"http"},\
        {"container":"ogg","audioCodec":"opus","protocol":"http"},\
        {"container":"mp3","audioCodec":"mp3","protocol":"http"}]}
        """

    /// Opens a song's bytes as the server converts them: in the form on which it decides, or as MP3, which every server
    /// makes, where it can't decide.
    /// - Parameter offset: the first byte wanted; the answer's own says what comes.
    /// - Throws: a refusal where the server can't convert the song.
    /// - Source: OpenSubsonic's extension `transcoding`, version 1.
    package func convertedStream(id: String, from offset: Int64 = 0) async throws -> SongStream {
        guard try await has("transcoding") else {
            return try await stream(id: id, format: "mp3", from: offset)
        }
        let song: KeyValuePairs = ["mediaId": id, "mediaType": "song"]
        let question = SubsonicCall("getTranscodeDecision", song, json: Self.profiles)
        let decision: TranscodeDecision? = try await value(question, "transcodeDecision")
        guard let parameters = decision?.parameters else {
            let reason = decision?.problem.map { ": \($0)" } ?? "."
            var refusal = SubsonicError(.refused(code: 0), "\(shownAddress) can't convert the song\(reason)")
            refusal.isRefusal = true
            throw refusal
        }
        let call = SubsonicCall("getTranscodeStream", song, isMedia: true).with("transcodeParams", parameters)
        return try await open(call, from: offset)
    }
}

/// The server's decision how a song is converted: the parameter by which that is asked for, or why there is none.
private struct TranscodeDecision: JSONReadable, Sendable {
    var parameters, problem: String?

    init(_ reader: inout JSONReader) throws {
        var canTranscode = false
        try reader.members { reader, name in
            switch name {
            case "canTranscode": canTranscode = try reader.bool() ?? false
            // It comes as it stands in an address.
            case "transcodeParams": parameters = try reader.nonEmptyText().map { $0.removingPercentEncoding ?? $0 }
            case "errorReason": problem = try reader.nonEmptyText()
            default: try reader.skip()
            }
        }
        if !canTranscode { parameters = nil }
    }
}
