import Coordination
import Foundation
import Glibc
import MusicModel
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import AudioFiles
@testable import Demonstration
@testable import PlaybackEngine

extension AudioTests {
    /// Files and streams that want GStreamer to do something else than to play sound.
    @Suite(.timeLimit(.minutes(4)))
    struct HostileSoundTests {
        @Test("only addresses of the web are opened, whatever was played before")
        func schemes() {
            GStreamerLibrary.warmUp()
            for scheme in ["http", "https"] { #expect(ElementPolicy.opens(scheme)) }
            let others = [
                "file", "fd", "data", "rtsp", "rtsph", "sdp", "rtp", "udp", "rtmp", "srt", "dvd", "cdda", "resource",
                "pushfile", "multifile", "splitmux", "testbin", "v4l2", "rfb",
            ]
            for scheme in others { #expect(!ElementPolicy.opens(scheme), "\(scheme):") }
        }

        @Test("files may be containers and codecs of sound, and nothing that fetches, draws or writes")
        func allowed() {
            for name in ["flacdec", "qtdemux", "avdec_alac"] {
                #expect(ElementPolicy.file.allows(name) && ElementPolicy.stream.allows(name))
            }
            for name in ["hlsdemux", "dashdemux", "icydemux", "tsdemux"] {
                #expect(!ElementPolicy.file.allows(name) && ElementPolicy.stream.allows(name))
            }
            let never = [
                "hlsdemux2", "mssdemux", "mssdemux2", "sdpdemux", "rtspsrc", "subparse", "ssaparse", "pngdec",
                "jpegdec",
                "avdec_h264", "fluiddec", "gmedec", "openmptdec", "rsvgdec", "uridecodebin", "gesdemux", "pcapparse",
            ]
            for name in never { #expect(!ElementPolicy.file.allows(name) && !ElementPolicy.stream.allows(name)) }
        }

        @Test("of a network storage nothing is read by links that lead out of it: no sound, tags, pictures or lyrics")
        func linksOutOfStorages() throws {
            let folder = URL.temporaryDirectory.appending(path: "segue-storage-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            for name in ["volume", "storages"] {
                try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            try Data([1, 2, 3]).write(to: URL(filePath: "\(folder)/private.flac"))
            symlink("\(folder)/volume", "\(folder)/storages/nas")
            symlink("\(folder)/private.flac", "\(folder)/volume/song.flac")
            LinkBoundary.keep("\(folder)/storages")
            let song = "\(folder)/storages/nas/song.flac"
            try #require(access(song, R_OK) == 0)
            #expect(throws: TrackError.self) { try TrackFeed(TrackFile(completePath: song, suffix: "flac", size: 3)) }
            #expect(throws: AudioFileError.self) { try AudioFileReader.read(path: song) }
            #expect(throws: AudioFileError.self) { try AudioFileReader.embeddedPicture(path: song) }
            #expect(throws: AudioFileError.self) { try AudioFileReader.lyrics(path: song) }
            #expect(throws: AudioFileError.self) { try AudioFingerprint.read(path: song) }
            #expect(HeaderBytes.reading(song) { $0.size } == nil)
        }

        // MARK: Files

        /// Contents that GStreamer would act on, by what they are.
        private static func disguises(_ server: WebServer) -> [(name: String, bytes: [UInt8])] {
            let (piece, sdp) = (server.url("/piece.ts"), "127.0.0.1")
            return [
                (
                    "hls",
                    Array("#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n\(piece)\n#EXT-X-ENDLIST\n".utf8)
                ),
                (
                    "hls master",
                    Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\n\(server.url("/list.m3u8"))\n".utf8)
                ),
                (
                    "dash",
                    Array(
                        """
                        <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" \
                        mediaPresentationDuration="PT9S"><BaseURL>\(server.url("/"))</BaseURL><Period>\
                        <AdaptationSet mimeType="audio/mp4"><Representation id="a" bandwidth="1"><SegmentList \
                        duration="9"><Initialization sourceURL="i.mp4"/><SegmentURL media="1.mp4"/></SegmentList>\
                        </Representation></AdaptationSet></Period></MPD>
                        """.utf8)
                ),
                (
                    "smooth streaming",
                    Array(
                        "<?xml version=\"1.0\"?><SmoothStreamingMedia MajorVersion=\"2\" MinorVersion=\"0\"/>".utf8)
                ),
                (
                    "sdp",
                    Array(
                        "v=0\r\no=- 0 0 IN IP4 \(sdp)\r\ns=x\r\nc=IN IP4 \(sdp)\r\nt=0 0\r\nm=audio 5004 RTP/AVP 0\r\n"
                            .utf8)
                ),
                ("rtsp", Array("rtsptextRTSP://127.0.0.1:\(server.port)/x\r\n".utf8)),
                (
                    "subtitles",
                    Array("1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\nX\n".utf8)
                ),
                ("picture", DemoCover.png()),
                ("drawing", Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"\(piece)\"/></svg>".utf8)),
                ("addresses", Array("text/uri-list\n\(piece)\n".utf8)),
            ]
        }

        @Test("a file that is something else than sound is refused by the scan, and nothing is fetched")
        func scans() throws {
            let (folder, server) = (TemporaryFolder(), try WebServer())
            for (name, bytes) in Self.disguises(server) {
                let path = folder.file("\(name).mp3")
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                #expect(throws: AudioFileError.self, "\(name)") { try AudioFileReader.read(path: path) }
                #expect(throws: AudioFileError.self, "\(name)") { try AudioFileReader.lyrics(path: path) }
                #expect(throws: AudioFileError.self, "\(name)") { try AudioFingerprint.read(path: path) }
            }
            #expect(server.requests.isEmpty)
        }

        @Test("a file that is something else than sound does not play, and nothing is fetched")
        func plays() async throws {
            let server = try WebServer()
            let bench = Bench()
            for (number, (_, bytes)) in Self.disguises(server).enumerated() {
                let path = bench.folder.file("\(number).mp3")
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                bench.provider.add(Int64(number + 1), path: path)
                bench.start(UInt64(number + 1))
                #expect(await bench.log.waits(for: "failed \(number + 1)"))
            }
            #expect(server.requests.isEmpty)
            await bench.engine.shutDown()
        }

        @Test("a named pipe in place of a file keeps nothing waiting")
        func pipe() throws {
            let folder = TemporaryFolder()
            mkfifo(folder.file("a.mp3"), 0o600)
            #expect(throws: TrackError.self) {
                try TrackFeed(TrackFile(completePath: folder.file("a.mp3"), suffix: "mp3", size: 9))
            }
        }

        @Test("a song that could not be kept says why, and not that its file is missing")
        func unkept() throws {
            let file = TrackFile(path: TemporaryFolder().file("a.mp3"), suffix: "mp3")
            file.fail("No space left on device")
            let error = #expect(throws: TrackError.self) { try TrackFeed(file) }
            #expect(error?.message == "No space left on device")
        }

        // MARK: Streams

        @Test(
            "a stream can't name what lies on this machine",
            arguments: [
                "piece", "variant", "key", "beginning", "redirect", "redirected piece", "dash", "dash list",
                "descriptor",
            ])
        func streams(kind: String) async throws {
            guard GStreamerLibrary.has("souphttpsrc"), GStreamerLibrary.has("hlsdemux") else { return }
            let bench = Bench(radio: RadioSettings(.init(timeout: .seconds(2))))
            let server = try WebServer()
            let wire = Tripwire(bench.folder.file("secret"))
            defer { wire.end() }
            Self.bait(server, kind: kind, with: "file://" + wire.path)
            let source = EngineTrack.Source.stream(url: server.url("/stream"))
            bench.engine.start(EngineTrack(play: 1, source: source), at: .zero, paused: false)
            #expect(await bench.log.waits(for: "failed 1", seconds: 60))
            #expect(!wire.wasOpened)
            #expect(!server.requests.isEmpty)
            await bench.engine.shutDown()
        }

        /// Lays out a stream that leads to an address.
        private static func bait(_ server: WebServer, kind: String, with address: String) {
            let hls = "application/vnd.apple.mpegurl"
            let head = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n"
            func list(_ lines: String) -> WebServer.Answer {
                .text(head + lines + "#EXT-X-ENDLIST\n", type: hls)
            }
            let piece = WebServer.Answer(
                headers: ["Content-Type: video/mp2t"],
                body: (0..<400).flatMap { _ in [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184) })
            server.answer("/piece.ts", piece)
            let good = "#EXTINF:2,\n\(server.url("/piece.ts"))\n"
            switch kind {
            case "piece": server.answer("/stream", list("#EXTINF:2,\n\(address)\n"))
            case "variant":
                server.answer("/stream", .text("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\n\(address)\n", type: hls))
            case "key":
                server.answer("/stream", list("#EXT-X-KEY:METHOD=AES-128,URI=\"\(address)\"\n" + good))
            case "beginning": server.answer("/stream", list("#EXT-X-MAP:URI=\"\(address)\"\n" + good))
            case "redirect": server.answer("/stream", .redirect(to: address))
            case "redirected piece":
                server.answer("/stream", list("#EXTINF:2,\n\(server.url("/away.ts"))\n"))
                server.answer("/away.ts", .redirect(to: address))
            case "dash", "dash list":
                let parts =
                    kind == "dash"
                    ? "<BaseURL>\(address)</BaseURL>"
                    : """
                    <SegmentList duration="2"><Initialization sourceURL="\(address)"/>\
                    <SegmentURL media="\(address)"/></SegmentList>
                    """
                server.answer(
                    "/stream",
                    .text(
                        """
                        <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" \
                        profiles="urn:mpeg:dash:profile:isoff-main:2011" minBufferTime="PT1S" \
                        mediaPresentationDuration="PT2S"><Period><AdaptationSet mimeType="audio/mp4" \
                        codecs="mp4a.40.2"><Representation id="a" bandwidth="64000">\(parts)</Representation>\
                        </AdaptationSet></Period></MPD>
                        """, type: "application/dash+xml"))
            default: server.answer("/stream", list("#EXTINF:2,\nfd://0\n"))
            }
        }

        @Test("a station at an address that is not the web's is refused", arguments: ["file:///etc/passwd", "fd://0"])
        func station(url: String) async {
            let bench = Bench()
            bench.engine.start(EngineTrack(play: 1, source: .stream(url: url)), at: .zero, paused: false)
            #expect(await bench.log.waits(for: "failed 1"))
            await bench.engine.shutDown()
        }

        // MARK: Rates and sizes

        /// A WAV file of silence with a header of its own.
        private func wav(rate: Int, channels: Int, in bench: Bench) throws {
            try TestSound.write(
                [Int16](repeating: 0, count: 4096 * channels), to: bench.folder.file("1.wav"), rate: rate,
                channels: channels)
            bench.provider.add(1, path: bench.folder.file("1.wav"))
        }

        @Test("a rate beyond what music has is refused, and said", arguments: [1, 999, 1_536_001, 2_000_000_000])
        func rates(rate: Int) async throws {
            let bench = Bench()
            try wav(rate: rate, channels: 1, in: bench)
            #expect(throws: AudioFileError.self) { try AudioFileReader.read(path: bench.folder.file("1.wav")) }
            bench.start(1)
            #expect(await bench.log.waits(for: "failed 1"))
            let messages = bench.log.all.compactMap { event in
                if case .failed(_, let message) = event { message } else { nil }
            }
            #expect(messages.first?.contains("\(rate) Hz") == true || rate > 1_600_000, "\(messages)")
            await bench.engine.shutDown()
        }

        @Test("the lowest rate plays to its end")
        func lowest() async throws {
            let bench = Bench()
            try wav(rate: 1000, channels: 1, in: bench)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(try TestSound.read(bench.recording).samples.count == 4096)
        }

        @Test("an M4A whose note tells of centuries is played without believing it")
        func centuries() async throws {
            let bench = Bench()
            var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: CutSound.path("a", "-note.m4a"))))
            let name = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("iTunSMPB".utf8)) })
            let zeros = Array(" 00000000".utf8)
            let note = try #require(bytes.indices.first { $0 > name && bytes[$0...].starts(with: zeros) })
            // The fourth number is the length.
            let length = note + 1 + 9 * 3
            bytes.replaceSubrange(length..<(length + 16), with: Array("000FFFFFFFFFFFFF".utf8))
            let header = TrackHeader.read(HeaderBytes(bytes))
            #expect(header.trim?.frames ?? 0 < 1 << 43)
            try Data(bytes).write(to: URL(fileURLWithPath: bench.folder.file("1.m4a")))
            bench.provider.add(1, path: bench.folder.file("1.m4a"))
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
        }

        // MARK: Recordings and the end

        @Test("a recording doesn't follow a symbolic link, and says so")
        func link() async throws {
            let bench = Bench()
            let victim = bench.folder.file("victim")
            try Data("mine".utf8).write(to: URL(fileURLWithPath: victim))
            symlink(victim, bench.recording)
            _ = try bench.song(1, frames: 44_100)
            bench.start(1)
            #expect(await eventually { bench.engine.outputs[0].problem?.contains("symbolic link") == true })
            await bench.engine.shutDown()
            #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == Data("mine".utf8))
        }

        @Test("a recording in whose place a pipe lies is a problem, and holds nothing up")
        func pipe() async throws {
            let bench = Bench()
            mkfifo(bench.recording, 0o600)
            _ = try bench.song(1, frames: 44_100)
            bench.start(1)
            #expect(await eventually { bench.engine.outputs[0].problem?.contains(bench.recording) == true })
            await bench.engine.shutDown()
        }

        @Test("an engine can be shut down several times, and at the same time")
        func shutsDown() async throws {
            let bench = Bench()
            async let first: Void = bench.engine.shutDown()
            async let second: Void = bench.engine.shutDown()
            _ = await (first, second)
            await bench.engine.shutDown()
            bench.engine.stop()
        }

        @Test("places and times beyond all that can be counted stop nothing but the song")
        func beyond() async throws {
            let bench = Bench()
            _ = try bench.song(1, frames: 44_100)
            bench.start(1, at: .seconds(Int64.max))
            bench.engine.seek(to: .seconds(Int64.max))
            bench.engine.set(.crossfade(.max))
            #expect(await bench.log.waits(for: "failed 1"))
            bench.engine.start(bench.track(2, song: 1), at: .zero, paused: false)
            bench.engine.seek(to: .seconds(Int64.min))
            #expect(await bench.log.waits(for: "finished 2"))
            await bench.engine.shutDown()
        }
    }
}
