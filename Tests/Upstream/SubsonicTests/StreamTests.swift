import NIOCore
import TestSupport
import Testing

@testable import Subsonic

@Suite("Streams")
struct StreamTests {
    private func bytes(_ stream: SongStream) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in stream.body { bytes += Array(buffer: piece) }
        return bytes
    }

    @Test("a song comes whole, with its length and type")
    func whole() async throws {
        try await withServer(songs: 2) { server, client in
            let id = server.songs[1].id
            let stream = try await client.stream(id: id, format: "raw")
            #expect(stream.offset == 0 && stream.totalLength == 529_244 && stream.contentType == "audio/x-wav")
            #expect(try await bytes(stream) == server.sound(of: id))
        }
    }

    @Test("the rest of a song comes from where it is asked for")
    func range() async throws {
        try await withServer(songs: 1) { server, client in
            let id = server.songs[0].id
            let stream = try await client.stream(id: id, from: 500_000)
            #expect(stream.offset == 500_000 && stream.totalLength == 529_244)
            #expect(try await bytes(stream) == Array(server.sound(of: id)[500_000...]))
        }
    }

    @Test("a server that ignores ranges says so by the offset")
    func ignoredRange() async throws {
        var options = FakeOptions()
        options.ignoresRanges = true
        try await withServer(songs: 1, options: options) { server, client in
            let stream = try await client.stream(id: server.songs[0].id, from: 1000)
            #expect(stream.offset == 0 && stream.totalLength == 529_244)
        }
    }

    @Test("behind the end there is nothing")
    func pastEnd() async throws {
        try await withServer(songs: 1) { server, client in
            let error = await failure { _ = try await client.stream(id: server.songs[0].id, from: 9_999_999) }
            #expect(error?.code == .pastEnd)
        }
    }

    @Test("a stream that is cut ends in an error, not in a short song")
    func cut() async throws {
        try await withServer(songs: 1) { server, client in
            try await server.setFaults(FakeFault(.cut(after: 65536), match: "stream"))
            let stream = try await client.stream(id: server.songs[0].id)
            let error = await failure { _ = try await bytes(stream) }
            #expect(error?.isTransient == true)
        }
    }

    @Test("a transcoding has no length before it is done")
    func transcoded() async throws {
        try await withServer(songs: 1) { server, client in
            let stream = try await client.stream(id: server.songs[0].id, format: "mp3", maxBitRate: 128)
            #expect(stream.totalLength == nil && stream.contentType == "audio/mpeg")
            #expect(try await bytes(stream).count == 264_622)
            #expect(server.requests.last?["maxBitRate"] == "128")
        }
    }

    @Test("a song is converted as the server decides, and to MP3 where it can't decide")
    func converted() async throws {
        for (kind, calls) in [
            (FakeOptions.Kind.navidrome, ["getOpenSubsonicExtensions", "getTranscodeDecision", "getTranscodeStream"]),
            (.supysonic, ["getOpenSubsonicExtensions", "stream"]),
        ] {
            var options = FakeOptions()
            options.kind = kind
            try await withServer(songs: 1, options: options) { server, client in
                let id = server.songs[0].id
                let sound = try await bytes(try await client.convertedStream(id: id))
                #expect(sound.count == 264_622)
                #expect(Set(server.requests.map(\.call)).isSuperset(of: calls))
                if kind == .navidrome {
                    let decision = try #require(server.requests.first { $0.call == "getTranscodeDecision" })
                    #expect(String(decoding: decision.body, as: UTF8.self).contains(#""container":"flac""#))
                    #expect(server.requests.last?["transcodeParams"] == "flac.\(id)")
                } else {
                    #expect(server.requests.last?["format"] == "mp3")
                }
            }
        }
    }

    @Test("a song that the server can't convert is refused with its reason")
    func unconverted() async throws {
        try await withServer(songs: 1) { server, client in
            let decision = #"{"canDirectPlay":false,"canTranscode":false,"errorReason":"no decoder"}"#
            let refusal = #"{"subsonic-response":{"status":"ok","transcodeDecision":\#(decision)}}"#
            server.setAnswer(of: "getTranscodeDecision", Array(refusal.utf8))
            let error = await failure { _ = try await client.convertedStream(id: server.songs[0].id) }
            #expect(error?.isRefusal == true && error?.message.hasSuffix("can't convert the song: no decoder") == true)
        }
    }

    @Test("a web page is not taken for a song")
    func html() async throws {
        try await withServer(songs: 1, retries: 0) { server, client in
            try await server.setFaults(FakeFault(.html))
            let error = await failure { _ = try await client.stream(id: server.songs[0].id) }
            #expect(error?.code == .badAnswer)
        }
    }

    @Test(
        "ranges in answers are read",
        arguments: [("bytes 10-19/200", 10, 200), ("bytes 0-4/*", 0, nil)] as [(String, Int64, Int64?)])
    func contentRange(text: String, first: Int64, total: Int64?) {
        let range = ContentRange(text)
        #expect(range?.first == first && range?.total == total)
    }

    @Test("bad ranges are not read", arguments: ["", "bytes", "bytes */200", "items 1-2/3", "bytes a-b/c"])
    func badContentRange(text: String) { #expect(ContentRange(text) == nil) }
}
