import Coordination
import Foundation
import Glibc
import MusicModel
import Playback
import SoundSamples
import Synchronization
import TestSupport
import Testing

@testable import AudioFiles
@testable import Demonstration
@testable import PlaybackEngine

/// A radio station of one song: serves it over HTTP with titles between the bytes, as Icecast does.
///
/// `/radio` announces no length, as a station without an end; `/song` does.
final class Station: Sendable {
    private let listener: LocalListener
    private let connected = Mutex(false)
    private static let interval = 4096

    var port: UInt16 { listener.port }

    /// Whether someone is connected who has got all there is; only where `staysOpen`.
    var isListenedTo: Bool { connected.withLock { $0 } }

    /// - Parameter staysOpen: whether the connection stays open after the sound, until the listener ends it.
    init(_ bytes: [UInt8], title: String, staysOpen: Bool = false) throws {
        listener = try LocalListener()
        listener.accept { [weak self] client in
            Self.serve(client, bytes, title)
            if staysOpen { self?.waitForEnd(of: client) }
        }
    }

    private func waitForEnd(of client: Int32) {
        connected.withLock { $0 = true }
        var byte: UInt8 = 0
        _ = recv(client, &byte, 1, 0)
        connected.withLock { $0 = false }
    }

    private static func serve(_ client: Int32, _ bytes: [UInt8], _ title: String) {
        var request = [UInt8](repeating: 0, count: 4096)
        let count = recv(client, &request, request.count, 0)
        let line = String(decoding: request[..<max(0, count)], as: UTF8.self)
        guard line.hasPrefix("GET /radio") || line.hasPrefix("GET /song") else {
            return send(client, Array("HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8))
        }
        var text = Array("StreamTitle='\(title)';".utf8)
        text += [UInt8](repeating: 0, count: (16 - text.count % 16) % 16)
        var body: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: interval) {
            body += bytes[start..<min(start + interval, bytes.count)]
            if start + interval <= bytes.count { body += [UInt8(text.count / 16)] + text }
        }
        let length = line.hasPrefix("GET /song") ? "Content-Length: \(body.count)\r\n" : ""
        let head =
            "HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nicy-name: Test FM\r\nicy-metaint: \(interval)\r\n"
        send(client, Array((head + length + "\r\n").utf8) + body)
    }

    private static func send(_ client: Int32, _ bytes: [UInt8]) {
        var done = 0
        while done < bytes.count {
            let sent = bytes.withUnsafeBytes {
                Glibc.send(client, $0.baseAddress?.advanced(by: done), $0.count - done, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            done += sent
        }
    }
}

extension AudioTests {
    @Suite(.timeLimit(.minutes(2)))
    struct StreamTests {
        private func station(_ bench: Bench, staysOpen: Bool = false) throws -> Station {
            let path = bench.folder.file("radio.mp3")
            var format = DemoEncoder.mp3
            format.pipeline = "lamemp3enc target=bitrate bitrate=128"
            try DemoEncoder.encode(TestSound.noise(frames: 44100 * 3), as: format, tags: DemoTags(), to: path)
            return try Station(
                [UInt8](Data(contentsOf: URL(fileURLWithPath: path))), title: "Artist - Song", staysOpen: staysOpen)
        }

        @Test("a stream plays and tells its station and titles")
        func plays() async throws {
            guard GStreamerLibrary.has("lamemp3enc"), GStreamerLibrary.has("souphttpsrc") else { return }
            let bench = Bench()
            let station = try station(bench)
            let source = EngineTrack.Source.stream(url: "http://user:secret@127.0.0.1:\(station.port)/song")
            bench.engine.start(EngineTrack(play: 1, source: source), at: .zero, paused: false)
            #expect(await bench.log.waits(for: "finished 1"))
            var tags: [TagValue] = []
            for case .streamTags(1, let told) in bench.log.all { tags = told }
            #expect(tags.contains(TagValue(.title, "Artist - Song")))
            #expect(tags.contains(TagValue(.name, "Test FM")))
            await bench.engine.shutDown()
            #expect(try TestSound.read(bench.recording).samples.count > 44100 * 5)
        }

        @Test("the end of a stream that comes late is heard at once")
        func endsLate() async throws {
            guard GStreamerLibrary.has("souphttpsrc") else { return }
            let clock = VirtualEngineClock()
            let bench = Bench(.clock(clock))
            let server = try WebServer()
            let sound = TestSound.wav(TestSound.noise(frames: 44_100 * 3 / 2))
            server.answer(
                "/song",
                WebServer.Answer(headers: ["Content-Type: audio/wav"], body: sound, late: 132_300))
            let source = EngineTrack.Source.stream(url: server.url("/song"))
            bench.engine.start(EngineTrack(play: 1, source: source), at: .zero, paused: false)
            // The first half comes, and then nothing.
            #expect(
                await eventually {
                    bench.log.all.contains { if case .info(1, _, _, _) = $0 { true } else { false } }
                })
            clock.standsStillForStreams = false
            #expect(
                await bench.eventually {
                    bench.log.all.contains { if case .buffering(1, true) = $0 { true } else { false } }
                })
            server.sendRest()
            clock.standsStillForStreams = true
            let began = clock.now
            #expect(await bench.log.waits(for: "finished 1"))
            #expect(clock.now - began < .seconds(1), "what came is three quarters of a second")
            await bench.engine.shutDown()
        }

        @Test("a stream can't be sought; it goes on where it is")
        func seeks() async throws {
            guard GStreamerLibrary.has("lamemp3enc"), GStreamerLibrary.has("souphttpsrc") else { return }
            let bench = Bench(.virtual)
            let station = try station(bench)
            let source = EngineTrack.Source.stream(url: "http://127.0.0.1:\(station.port)/radio")
            bench.engine.start(EngineTrack(play: 1, source: source), at: .zero, paused: false)
            #expect(await bench.log.waits(for: "started 1"))
            bench.engine.seek(to: .seconds(2))
            #expect(await bench.log.waits(for: "seeked 1"))
            #expect(bench.elapsed < 0.1)
            await bench.engine.shutDown()
        }

        @Test("a stream joins on to a song")
        func joins() async throws {
            guard GStreamerLibrary.has("lamemp3enc"), GStreamerLibrary.has("souphttpsrc") else { return }
            let bench = Bench()
            let station = try station(bench)
            _ = try bench.song(1, frames: 44100)
            let source = EngineTrack.Source.stream(url: "http://127.0.0.1:\(station.port)/song")
            bench.startJoined(with: EngineTrack(play: 2, source: source))
            #expect(await bench.log.waits(for: "finished 2"))
            #expect(bench.log.summary == ["started 1", "started 2", "finished 2"])
            await bench.engine.shutDown()
        }

        @Test("a station whose connection ends is taken up again, and its time goes on")
        func reconnects() async throws {
            guard GStreamerLibrary.has("lamemp3enc"), GStreamerLibrary.has("souphttpsrc") else { return }
            let bench = Bench(.virtual)
            let station = try station(bench)
            let source = EngineTrack.Source.stream(url: "http://127.0.0.1:\(station.port)/radio")
            bench.engine.start(EngineTrack(play: 1, source: source), at: .zero, paused: false)
            // Each connection brings three seconds.
            #expect(await bench.reaches(7))
            #expect(bench.log.summary == ["started 1"])
            await bench.engine.shutDown()
            #expect(try TestSound.read(bench.recording).samples.count > 44100 * 13)
        }

        @Test("a station that is left is let go, even if the player never says which ones to keep")
        func parts() async throws {
            guard GStreamerLibrary.has("lamemp3enc"), GStreamerLibrary.has("souphttpsrc") else { return }
            let bench = Bench(.virtual, radio: RadioSettings(.init(crossfade: .zero)))
            let stations = [try station(bench, staysOpen: true), try station(bench, staysOpen: true)]
            for (index, station) in stations.enumerated() {
                let source = EngineTrack.Source.stream(url: "http://127.0.0.1:\(station.port)/radio")
                bench.engine.start(EngineTrack(play: UInt64(index + 1), source: source), at: .zero, paused: false)
                #expect(await bench.log.waits(for: "started \(index + 1)"))
            }
            await bench.pass(.seconds(2))
            #expect(await eventually { stations[1].isListenedTo && !stations[0].isListenedTo })
            await bench.engine.shutDown()
        }

        @Test("a station that is kept ready is let go while memory is short, and the one that plays goes on")
        func memory() async throws {
            guard GStreamerLibrary.has("lamemp3enc"), GStreamerLibrary.has("souphttpsrc") else { return }
            let use = Atomic(0)
            let budget = MemoryBudget(limit: 64 << 20, use: { use.load(ordering: .relaxed) }, trim: {})
            let bench = Bench(.virtual, radio: RadioSettings(.init(crossfade: .zero)), memoryBudget: budget)
            let stations = [try station(bench, staysOpen: true), try station(bench, staysOpen: true)]
            let urls = stations.map { "http://127.0.0.1:\($0.port)/radio" }
            bench.engine.start(EngineTrack(play: 1, source: .stream(url: urls[0])), at: .zero, paused: false)
            #expect(await bench.log.waits(for: "started 1"))
            bench.engine.keepReady(streams: [urls[1]])
            #expect(await eventually { stations[1].isListenedTo })
            use.store(60 << 20, ordering: .relaxed)
            #expect(budget.isTight)
            #expect(await eventually { !stations[1].isListenedTo })
            #expect(stations[0].isListenedTo)
            // It isn't opened again before there is room.
            bench.engine.keepReady(streams: [urls[1]])
            #expect(await bench.reaches(1))
            #expect(!stations[1].isListenedTo)
            use.store(1 << 20, ordering: .relaxed)
            bench.engine.keepReady(streams: [urls[1]])
            #expect(await eventually { stations[1].isListenedTo })
            await bench.engine.shutDown()
        }

        @Test("a stream that isn't there fails without its URL", arguments: ["/absent", "/radio"])
        func fails(path: String) async throws {
            let bench = Bench()
            var port = UInt16(9)
            if path == "/absent" {
                let station = try station(bench)
                port = station.port
                await fails(bench, port, path)
                withExtendedLifetime(station) {}
            } else {
                await fails(bench, port, path)
            }
            await bench.engine.shutDown()
        }

        private func fails(_ bench: Bench, _ port: UInt16, _ path: String) async {
            let source = EngineTrack.Source.stream(url: "http://user:secret@127.0.0.1:\(port)\(path)")
            bench.engine.start(EngineTrack(play: 1, source: source), at: .zero, paused: false)
            #expect(await bench.log.waits(for: "failed 1"))
            for case .failed(_, let message) in bench.log.all {
                #expect(!message.contains("secret") && !message.contains("127.0.0.1") && !message.isEmpty)
            }
        }
    }
}
