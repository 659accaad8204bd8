import Foundation
import MusicModel
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import AudioFiles
@testable import PlaybackEngine

extension AudioTests {
    /// Songs shorter than what GStreamer takes for one.
    @Suite(.timeLimit(.minutes(4)))
    struct ShortSongTests {
        /// An ending, ffmpeg's codec for it, and whether every sample comes back.
        struct Form: Sendable, CustomStringConvertible {
            let suffix: String
            let codec: [String]
            var isExact = false
            var description: String { "\(suffix) \(codec.joined(separator: " "))" }
        }

        static let ofMP4 = [
            Form(suffix: "m4a", codec: ["-c:a", "alac"], isExact: true), Form(suffix: "m4a", codec: ["-c:a", "aac"]),
        ]
        static let others = [
            Form(suffix: "wav", codec: [], isExact: true), Form(suffix: "aiff", codec: [], isExact: true),
            Form(suffix: "flac", codec: [], isExact: true), Form(suffix: "mp3", codec: []),
            Form(suffix: "ogg", codec: ["-c:a", "libvorbis"]), Form(suffix: "opus", codec: ["-c:a", "libopus"]),
            Form(suffix: "mka", codec: ["-c:a", "flac"]), Form(suffix: "webm", codec: ["-c:a", "libopus"]),
            Form(suffix: "wma", codec: ["-c:a", "wmav2"]), Form(suffix: "tta", codec: [], isExact: true),
            Form(suffix: "au", codec: [], isExact: true), Form(suffix: "aac", codec: []),
            Form(suffix: "caf", codec: ["-c:a", "pcm_s16be"], isExact: true),
            Form(suffix: "caf", codec: ["-c:a", "alac"], isExact: true),
            Form(suffix: "mka", codec: ["-c:a", "alac"], isExact: true),
            Form(suffix: "spx", codec: ["-c:a", "libspeex"]), Form(suffix: "mp2", codec: []),
        ]

        @Test("songs of AAC and ALAC sound from the first frame on", arguments: ofMP4, [441, 4410, 11_025, 13_230])
        func inMP4(form: Form, frames: Int) async throws { try await joins(form, frames) }

        @Test(
            "a song of any format that is shorter than a second sounds, and what is before and behind it",
            .enabled(if: testsEverything), arguments: others, [441, 4410, 13_230])
        func inOthers(form: Form, frames: Int) async throws { try await joins(form, frames) }

        @Test(
            "a song of a single frame sounds where its format has such", .enabled(if: testsEverything),
            arguments: (ofMP4 + others).filter(\.isExact))
        func oneFrame(form: Form) async throws { try await joins(form, 1) }

        /// Reads the file, and plays it behind another song and before one.
        private func joins(_ form: Form, _ frames: Int) async throws {
            let bench = Bench(.virtual)
            let before = try bench.song(1, frames: 30_000)
            let wave = bench.folder.file("2.wav")
            let samples = TestSound.noise(frames: frames, seed: 2)
            try TestSound.write(samples, to: wave)
            let path = form.suffix == "wav" ? wave : bench.folder.file("2." + form.suffix)
            if form.suffix != "wav" { try Encoded.ffmpeg(["-i", wave] + form.codec + [path]) }
            let file = try AudioFileReader.read(path: path)
            let rates = ["opus": 48_000, "webm": 48_000, "spx": 32_000]
            #expect(file.format?.sampleRate == rates[form.suffix] ?? 44_100)
            bench.provider.add(2, path: path)
            let after = try bench.song(3, frames: 30_000)
            bench.startJoined()
            #expect(await bench.log.waits(for: "started 2"))
            bench.engine.prepareNext(bench.track(3))
            if !(await bench.eventually { bench.log.summary.contains { $0 == "started 3" || $0 == "finished 2" } }) {
                Issue.record("it stays at \(bench.elapsed) s: \(bench.log.summary)")
            }
            if bench.log.summary.contains("finished 2") { bench.start(3) }
            #expect(await bench.log.waits(for: "finished 3"))
            await bench.engine.shutDown()
            #expect(!bench.log.summary.contains { $0.hasPrefix("failed") })
            guard form.isExact else { return }
            #expect(isSame(try TestSound.read(bench.recording).samples, before + samples + after))
        }
    }
}
