import Discovery
import Foundation
import Logging
import MusicModel
import TestSupport
import Testing

@testable import Wishes

/// Whatever a prompt server answers, a wish ends in what the library has or in a short sentence, and no more of the
/// answer is read than it may have.
@Suite("A hostile prompt server", .enabled(if: testsEverything), .serialized, .timeLimit(.minutes(10)))
struct HostilePromptServerTests {
    private static let vocabulary = WishVocabulary(genres: ["Jazz", "Rock"], moods: ["Dreamy"])
    /// What the system takes for a client that has stopped reading: the buffers of both ends.
    private static let buffers = 16 << 20

    private func withServer(
        patience: Duration = .seconds(600), _ body: (RawServer, WishServer, LogLines) async throws -> Void
    ) async throws {
        let server = try await RawServer.start()
        var settings = WishServerSettings(url: server.url)
        settings.timeout = patience
        settings.key = Secret("sk-0123456789")
        let log = LogLines()
        try await body(server, WishServer(settings, log: log.logger), log)
        await server.stop()
    }

    /// Wishes for something, and expects a sentence.
    private func refusal(
        _ name: String, _ server: RawServer, _ wishes: WishServer, _ answer: RawServer.Answer, most: Int = 2
    ) async -> String {
        server.answer(answer)
        let error = await #expect(throws: WishReadingError.self, "\(name)") {
            try await wishes.read("music of 1994", Self.vocabulary)
        }
        let sentence = error.map { "\($0)" } ?? ""
        #expect(sentence.hasPrefix("the prompt server ") && sentence.utf8.count <= 200, "\(name): \(sentence)")
        #expect(server.sent <= server.requests.count * (64 << 10) + Self.buffers, "\(name)")
        #expect(server.requests.count <= most, "\(name): \(server.requests.count) requests")
        return sentence
    }

    @Test("HTTP that is none is a short refusal", arguments: HTTPAttack.finite + HTTPAttack.endless)
    func badHTTP(attack: HTTPAttack) async throws {
        try await withServer { server, wishes, log in
            _ = await refusal(attack.name, server, wishes, attack.answer)
            if attack.isEndless {
                try await eventually("the last connection's end") { server.connectionCount == 0 }
            }
            #expect(!log.all.contains { $0.contains("sk-0123456789") || $0.utf8.count > 3000 })
        }
    }

    @Test("one that says nothing of use, or drips, is given up when its time is over", arguments: HTTPAttack.slow)
    func slow(attack: HTTPAttack) async throws {
        try await withServer(patience: .milliseconds(100)) { server, wishes, _ in
            // A request that was given up may reach the server with the next one.
            let sentence = await refusal(attack.name, server, wishes, attack.answer, most: .max)
            #expect(sentence.contains("too long"))
            let drips = RawServer.Answer.raw(["Content-Length: 60000"], then: .drips([0x20]))
            #expect(await refusal("a body that drips", server, wishes, drips, most: .max).contains("too long"))
        }
    }

    @Test("pieces of a byte are given up by their number")
    func pieces() async throws {
        try await withServer { server, wishes, _ in
            let chunks = Array(String(repeating: "1\r\n{\r\n", count: 100).utf8)
            let answer = RawServer.Answer.raw(["Transfer-Encoding: chunked"], then: .repeats(chunks))
            #expect(await refusal("pieces", server, wishes, answer).contains("too large"))
        }
    }

    /// Bodies that are no answer.
    private static let bodies: [(name: String, body: String)] = [
        ("empty", ""), ("zero bytes", String(repeating: "\0", count: 60_000)),
        ("10 MB", "{\"choices\":[" + String(repeating: " ", count: 10 << 20)),
        ("deep lists", String(repeating: "[", count: 60_000)),
        ("deep objects in the text", chat(String(repeating: "{\"genres\":", count: 5000))),
        ("types that are wrong", chat(#"{"genres":{"a":1},"year_from":"1990","energy_from":[0.5]}"#)),
        ("numbers that are none", chat(#"{"year_from":1e999,"tempo_to":-1e999}"#)),
        ("a song", chat("Kind of Blue")), ("a terminal's signs", chat("\u{1b}[2J\u{9b}31m{\"genres\":[1]}")),
    ]

    private static func chat(_ content: String) -> String {
        #"{"choices":[{"message":{"content":\#(JSONTree.quoted(content))}}]}"#
    }

    @Test("bodies that are no answer are a short refusal, and none of them is in the log")
    func badBodies() async throws {
        try await withServer { server, wishes, log in
            for (name, body) in Self.bodies {
                _ = await refusal(name, server, wishes, .page(Array(body.utf8)))
            }
            #expect(!log.all.contains { $0.contains("Kind of Blue") || $0.contains("\u{1b}") || $0.utf8.count > 3000 })
        }
    }

    @Test("a redirection is not followed, and no other server gets the wish or the key")
    func redirections() async throws {
        let elsewhere = try await RawServer.start()
        try await withServer { server, wishes, _ in
            for attack in HTTPAttack.redirections(to: elsewhere.url) {
                #expect(await refusal("\(attack)", server, wishes, attack.answer).contains("redirects"))
                #expect(server.requests.count == 1)
            }
        }
        #expect(elsewhere.requests.isEmpty)
        await elsewhere.stop()
    }

    @Test(
        "of an answer only what songs can have counts",
        arguments: [
            (#"{"year_from":-1e300,"year_to":1e300,"genres":["\u001b[2J","No genre of ours"]}"#, ""),
            (#"{"year_from":1e18}"#, "2999"), (#"{"tempo_from":9e99,"tempo_to":0}"#, ""),
            (#"{"energy_from":5,"energy_to":-5,"year_to":-1}"#, "1000"),
        ])
    func impossible(query: String, understood: String) async throws {
        try await withServer { server, wishes, _ in
            server.answer(.page(Array(Self.chat(query).utf8)))
            let wish = try await wishes.read("music of 1994", Self.vocabulary)
            #expect(wish.sentence == understood)
        }
    }
}
