import Foundation

/// Songs in a form that the server makes of them.
extension SubsonicClient {
    /// The name of OpenSubsonic's extension by which the server decides about conversions.
    private static let transcoding = "transcoding"

    /// The forms that are welcome, the best first.
    private static let profiles = """
        {"name":"segue","platform":"Linux","transcodingProfiles":[\
        {"container":"flac","audioCodec":"flac","protocol":"http"},\
        {"container":"ogg","audioCodec":"opus","protocol":"http"},\
        {"container":"mp3","audioCodec":"mp3","protocol":"http"}]}
        """

    /// Opens a song's bytes as the server converts them: in the form on which it decides, or as MP3, which every server
    /// makes, where it can't decide.
    ///
    /// - Parameter offset: the first byte wanted; the answer's own says what comes.
    /// - Throws: a refusal where the server can't convert the song.
    /// - Source: OpenSubsonic's extension `transcoding`, version 1.
    @concurrent
    package func convertedStream(id: String, from offset: Int64 = 0) async throws -> SongStream {
        guard try await has(Self.transcoding) else {
            return try await stream(id: id, format: "mp3", from: offset)
        }
        let song = [(name: "mediaId", value: id), ("mediaType", "song")]
        let question = SubsonicCall(name: "getTranscodeDecision", parameters: song, json: Self.profiles)
        let decision = try await value(question, "transcodeDecision") { (reader) throws(JSONProblem) in
            try TranscodeDecision(&reader)
        }
        guard let parameters = decision?.parameters else {
            let reason = decision?.problem.map { ": \($0)" } ?? "."
            var refusal = SubsonicError(.refused(code: 0), "\(shownAddress) can't convert the song\(reason)")
            refusal.isRefusal = true
            throw refusal
        }
        let call = SubsonicCall(
            name: "getTranscodeStream", parameters: song + [("transcodeParams", parameters)], isMedia: true)
        return try await open(call, from: offset)
    }
}

/// The server's decision how a song is converted.
private struct TranscodeDecision: Sendable {
    /// The parameter by which the conversion is asked for; nil where there is none.
    var parameters: String?
    /// Why there is none.
    var problem: String?

    init(_ reader: inout JSONReader) throws(JSONProblem) {
        var canTranscode = false
        try reader.members { (reader, name) throws(JSONProblem) in
            if name.elementsEqual("canTranscode".utf8) {
                canTranscode = try reader.bool() ?? false
            } else if name.elementsEqual("transcodeParams".utf8) {
                // It comes as it stands in an address.
                parameters = try reader.nonEmptyText().map { $0.removingPercentEncoding ?? $0 }
            } else if name.elementsEqual("errorReason".utf8) {
                problem = try reader.nonEmptyText()
            } else {
                try reader.skip()
            }
        }
        if !canTranscode { parameters = nil }
    }
}
