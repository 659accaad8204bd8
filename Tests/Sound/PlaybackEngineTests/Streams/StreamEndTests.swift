import MusicModel
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import AudioFiles
@testable import PlaybackEngine

extension AudioTests {
    /// Where a stream ends, and where only its connection does.
    @Suite(.enabled(if: GStreamerLibrary.has("souphttpsrc"), "GStreamer has no souphttpsrc"), .timeLimit(.minutes(2)))
    struct StreamEndTests {
        private static let name = "icy-name: A song"
        private static let broadcast = "icy-br: 1411"

        /// A song of 2.5 seconds, whose header tells that or nothing.
        private func answer(_ end: WebServer.Answer.End, _ headers: [String], tellsLength: Bool = true)
            -> WebServer.Answer
        {
            var sound = TestSound.wav(TestSound.noise(frames: 44_100 * 5 / 2))
            if !tellsLength { sound.replaceSubrange(40..<44, with: [255, 255, 255, 255]) }
            return WebServer.Answer(headers: ["Content-Type: audio/wav"] + headers, body: sound, end: end)
        }

        /// Plays what is at `/song`, with another song behind it.
        private func play(_ server: WebServer, _ bench: Bench) throws {
            _ = try bench.song(2, frames: 44_100)
            let source = EngineTrack.Source.stream(url: server.url("/song"))
            bench.engine.start(EngineTrack(play: 1, source: source), at: .zero, paused: false)
            bench.engine.prepareNext(bench.track(2))
        }

        @Test(
            "a stream whose answer is over has ended, and the next song plays",
            arguments: [
                (WebServer.Answer.End.chunks(isTorn: false), [name], true), (.chunks(isTorn: false), [name], false),
                (.chunks(isTorn: false), [name, broadcast], true), (.connection, [], false),
                (.connection, [name], true), (.connection, [name, broadcast], true),
                (.length, [name, broadcast], false),
            ])
        func ends(_ end: WebServer.Answer.End, _ headers: [String], tellsLength: Bool) async throws {
            let bench = Bench(.virtual)
            let server = try WebServer()
            server.answer("/song", answer(end, headers, tellsLength: tellsLength))
            try play(server, bench)
            #expect(await bench.log.waits(for: "finished 2"))
            #expect(bench.log.summary == ["started 1", "started 2", "finished 2"])
            #expect(server.requests == ["/song"])
            await bench.engine.shutDown()
        }

        @Test("a song that is sent in chunks has the length that its header tells")
        func length() async throws {
            let bench = Bench(.virtual)
            let server = try WebServer()
            server.answer("/song", answer(.chunks(isTorn: false), [Self.name]))
            try play(server, bench)
            #expect(await bench.log.waits(for: "started 2"))
            let lengths = bench.log.all.compactMap { if case .info(1, _, let length, _) = $0 { length } else { nil } }
            #expect(lengths.last == .seconds(2.5))
            await bench.engine.shutDown()
        }

        /// Plays a stream that breaks off once it is heard.
        private func playTorn(_ server: WebServer, _ bench: Bench, _ clock: VirtualEngineClock, _ headers: [String])
            async throws
        {
            var answer = answer(.chunks(isTorn: true), headers, tellsLength: false)
            answer.late = 44_100
            server.answer("/song", answer)
            try play(server, bench)
            #expect(await bench.log.waits(for: "started 1"))
            // From here on its waiting counts; before, a busy machine's would.
            clock.standsStillForStreams = false
        }

        @Test("a stream that breaks off is taken up again", arguments: [[name], [name, broadcast]])
        func breaksOff(_ headers: [String]) async throws {
            let clock = VirtualEngineClock()
            let bench = Bench(.clock(clock))
            let server = try WebServer()
            try await playTorn(server, bench, clock, headers)
            server.sendRest()
            #expect(await bench.eventually { server.requests.count > 1 })
            #expect(bench.log.summary == ["started 1"])
            await bench.engine.shutDown()
        }

        @Test("one that is gone then has ended")
        func isGone() async throws {
            let clock = VirtualEngineClock()
            let bench = Bench(.clock(clock))
            let server = try WebServer()
            try await playTorn(server, bench, clock, [Self.name])
            server.answer("/song", WebServer.Answer(status: "404 Not Found"))
            server.sendRest()
            #expect(await bench.log.waits(for: "finished 2"))
            #expect(bench.log.summary == ["started 1", "started 2", "finished 2"])
            await bench.engine.shutDown()
        }
    }
}
