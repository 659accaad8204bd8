import MPDCommands
import ServerLoop
import Testing

/// Answers are those of a real server, line by line.
@Suite("Answers as MPD's")
struct TranscriptTests {
    private static let transcripts: [String: Transcript] = [
        "database": .database, "connection": .connection, "queue": .queue, "options": .options,
        "playlists": .playlists, "player": .player, "one": .wanderingOne, "two": .wanderingTwo,
        "three": .wanderingThree,
    ]

    @Test(
        "A recorded conversation gets the same answers",
        arguments: [
            "database", "connection", "queue", "options", "playlists", "player", "one", "two", "three",
        ])
    func conversation(name: String) async throws {
        let transcript = try #require(Self.transcripts[name])
        #expect(transcript.exchanges.count > 20)
        let desk = try await Desk()
        for exchange in transcript.exchanges {
            let expected = masked(exchange.answer, request: exchange.request)
            let answer = await stableAnswer(exchange.request, expected, at: desk)
            #expect(answer == expected, "\(name): \(exchange.request)")
        }
        try await desk.close()
    }

    /// The answer, asked for again as long as it is `status` and the engine's news may still be on the way.
    private func stableAnswer(_ request: String, _ expected: [String], at desk: Desk) async -> [String] {
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let answer = masked(await desk.ask(request), request: request)
            if answer == expected || request != "status" || ContinuousClock.now > deadline {
                return answer
            }
            await Task.yield()
        }
    }

    /// Leaves out of `status` what depends on the moment and on how a server numbers its versions.
    private func masked(_ answer: [String], request: String) -> [String] {
        guard request == "status" else { return answer }
        var masks = ["elapsed: ", "time: ", "bitrate: ", "playlist: "]
        // With all three options MPD names the current song as the next one, but then plays and consumes on.
        if answer.contains("repeat: 1"), !answer.contains("single: 0"), !answer.contains("consume: 0") {
            masks += ["nextsong: ", "nextsongid: "]
        }
        return answer.filter { line in !masks.contains(where: line.hasPrefix) }
    }
}
