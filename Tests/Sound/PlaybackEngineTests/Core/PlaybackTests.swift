import Coordination
import Foundation
import MusicModel
import Outputs
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import Demonstration
@testable import PlaybackEngine

extension AudioTests {
    @Suite(.timeLimit(.minutes(2)))
    struct PlaybackTests {
        @Test("a WAV file comes out of the file output sample for sample")
        func exact() async throws {
            let bench = Bench()
            let samples = try bench.song(1, frames: 44100 * 3 + 17)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording)
            #expect(heard.rate == 44100 && heard.channels == 2)
            #expect(isSame(heard.samples, samples))
            #expect(bench.log.summary == ["started 1", "finished 1"])
        }

        @Test("mono and 48 kHz stay as they are")
        func mono() async throws {
            let bench = Bench()
            let samples = try bench.song(1, frames: 50_001, rate: 48000, channels: 1)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording)
            #expect(heard.rate == 48000 && heard.channels == 1)
            #expect(isSame(heard.samples, samples))
        }

        @Test("the next song joins on without a sample lost or added")
        func joins() async throws {
            let bench = Bench()
            let first = try bench.song(1, frames: 70_003)
            let second = try bench.song(2, frames: 44_101)
            bench.startJoined()
            #expect(await bench.log.waits(for: "finished 2"))
            await bench.engine.shutDown()
            #expect(isSame(try TestSound.read(bench.recording).samples, first + second))
            #expect(bench.log.summary == ["started 1", "started 2", "finished 2"])
        }

        @Test("the length and format of a song are told")
        func info() async throws {
            let bench = Bench()
            _ = try bench.song(1, frames: 44100)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            var told: (AudioFormat?, Duration?, Int?)?
            for case .info(1, let format, let duration, let rate) in bench.log.all { told = (format, duration, rate) }
            #expect(told?.0 == AudioFormat(sampleRate: 44100, sample: .integer(bits: 16), channels: 2))
            #expect(told?.1 == .seconds(1))
            #expect(told?.2 == 1411)
            await bench.engine.shutDown()
        }

        @Test("all that is heard is counted, to the end")
        func counts() async throws {
            let bench = Bench()
            _ = try bench.song(1, frames: 44100 * 2)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            var last: Duration?
            for case .progress(1, _, let heard) in bench.log.all { last = heard }
            let heard = try #require(last)
            #expect(abs(heard / .seconds(1) - 2) < 0.001)
            #expect(bench.engine.progress == nil)
            await bench.engine.shutDown()
        }

        @Test("a start within the song begins at that very frame")
        func startsInside() async throws {
            let bench = Bench()
            let samples = try bench.song(1, frames: 44100 * 3)
            bench.start(1, at: .seconds(1))
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(isSame(try TestSound.read(bench.recording).samples, Array(samples[(44100 * 2)...])))
        }

        @Test("a seek lands on the frame, and only what was heard is written")
        func seeks() async throws {
            let bench = Bench()
            let samples = try bench.song(1, frames: 44100 * 4)
            bench.start(1, paused: true)
            bench.engine.seek(to: .milliseconds(2500))
            bench.engine.setPaused(false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(isSame(try TestSound.read(bench.recording).samples, Array(samples[(110_250 * 2)...])))
            #expect(bench.log.summary == ["seeked 1", "started 1", "finished 1"])
        }

        @Test("a broken file fails with a sentence, an absent one too")
        func fails() async throws {
            let bench = Bench()
            let path = bench.folder.file("broken.flac")
            var generator = SplitMix64(seed: 5)
            let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
            try Data(noise).write(to: URL(fileURLWithPath: path))
            bench.provider.add(1, path: path)
            bench.start(1)
            #expect(await bench.log.waits(for: "failed 1"))
            bench.start(2)
            #expect(await bench.log.waits(for: "failed 2"))
            try Data().write(to: URL(fileURLWithPath: bench.folder.file("empty.mp3")))
            bench.provider.add(3, path: bench.folder.file("empty.mp3"))
            bench.start(3)
            #expect(await bench.log.waits(for: "failed 3"))
            for case .failed(_, let message) in bench.log.all {
                #expect(!message.isEmpty && !message.contains("://") && !message.contains(bench.folder.path))
            }
            await bench.engine.shutDown()
        }

        @Test("a broken next song is told while the current one plays on")
        func nextFails() async throws {
            let bench = Bench()
            let samples = try bench.song(1, frames: 44100)
            bench.start(1, paused: true)
            bench.engine.prepareNext(bench.track(9))
            #expect(await bench.log.waits(for: "failed 9"))
            bench.engine.setPaused(false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(isSame(try TestSound.read(bench.recording).samples, samples))
        }

        @Test("a next song that is taken back doesn't play")
        func takesBack() async throws {
            let bench = Bench()
            let samples = try bench.song(1, frames: 44100)
            _ = try bench.song(2, frames: 44100)
            bench.start(1, paused: true)
            bench.engine.prepareNext(bench.track(2))
            bench.engine.prepareNext(nil)
            bench.engine.setPaused(false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(isSame(try TestSound.read(bench.recording).samples, samples))
        }

        @Test("a prepared song that is started at once plays from its first sample")
        func startsPrepared() async throws {
            let bench = Bench()
            _ = try bench.song(1, frames: 44100)
            let second = try bench.song(2, frames: 30_000)
            bench.start(1, paused: true)
            bench.engine.prepareNext(bench.track(2))
            bench.engine.start(bench.track(7, song: 2), at: .zero, paused: false)
            #expect(await bench.log.waits(for: "finished 7"))
            await bench.engine.shutDown()
            #expect(isSame(try TestSound.read(bench.recording).samples, second))
        }

        @Test("nothing of a song is kept once the engine is done with it")
        func letsGo() async throws {
            let bench = Bench()
            let path = bench.folder.file("song.wav")
            try TestSound.write(TestSound.noise(frames: 44100), to: path)
            weak var file: TrackFile?
            do {
                let opened = TrackFile(completePath: path, suffix: "wav", size: 44144)
                file = opened
                bench.provider.add(1, opened)
            }
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            bench.provider.remove(1)
            #expect(await eventually { file == nil })
            await bench.engine.shutDown()
        }

        @Test("a seek after a song broke off is answered, and the next song plays")
        func afterBreakage() async throws {
            let bench = Bench(.virtual)
            let second = try bench.song(2, frames: 4410)
            bench.provider.add(1, TrackFile(path: bench.folder.file("absent"), suffix: "wav", total: 1000))
            bench.start(1)
            bench.engine.seek(to: .seconds(1))
            #expect(await bench.log.waits(for: "failed 1"))
            bench.start(2)
            #expect(await bench.log.waits(for: "finished 2"))
            await bench.engine.shutDown()
            #expect(isSame(try TestSound.read(bench.recording).samples, second))
        }

        @Test("the first sound of a FLAC file comes as soon as it is decoded")
        func latency() async throws {
            let clock = VirtualEngineClock()
            let bench = Bench(.clock(clock)) { _ in [OutputSpecification(type: .null, name: "Nowhere")] }
            let path = bench.folder.file("1.flac")
            try DemoEncoder.encode(
                TestSound.noise(frames: 441_000), as: DemoEncoder.flac, tags: DemoTags(title: "T"), to: path)
            bench.provider.add(1, path: path)
            for play in UInt64(1)...5 {
                let began = clock.now
                bench.engine.start(bench.track(play, song: 1), at: .zero, paused: false)
                #expect(await bench.log.waits(for: "started \(play)"))
                #expect(clock.now - began < .milliseconds(200), "decoding takes no time here")
            }
            await bench.engine.shutDown()
        }
    }
}
