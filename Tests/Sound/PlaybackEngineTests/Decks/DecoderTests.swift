import Foundation
import MusicModel
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import PlaybackEngine

extension AudioTests {
    /// What is heard is what other decoders of the format give.
    @Suite(.timeLimit(.minutes(4)))
    struct DecoderTests {
        @Test("wide sound in Opus at a low rate keeps its sides")
        func wideOpus() async throws {
            let bench = Bench()
            let wave = bench.folder.file("0.wav")
            // Two channels that have nothing in common, of which a coder with few bits keeps only how loud they are.
            let (left, right) = (
                TestSound.noise(frames: 96_000, channels: 1), TestSound.noise(frames: 96_000, channels: 1, seed: 7)
            )
            let wide = zip(left, right).flatMap { left, right -> [Int16] in [left / 4, right / 16 - left / 4] }
            try TestSound.write(wide, to: wave, rate: 48_000)
            let (path, reference) = (bench.folder.file("1.opus"), bench.folder.file("reference.wav"))
            try Encoded.ffmpeg(["-i", wave, "-c:a", "libopus", "-b:a", "48k", path])
            // Opus's own decoder; ffmpeg's has other noise.
            try Encoded.ffmpeg(["-c:a", "libopus", "-i", path, "-c:a", "pcm_s16le", "-bitexact", reference])
            bench.provider.add(1, path: path)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let (heard, expected) = (try TestSound.read(bench.recording).samples, try TestSound.read(reference).samples)
            #expect(abs(heard.count - expected.count) <= 2)
            let most =
                zip(heard, expected).map { heard, expected -> Int in abs(Int(heard) - Int(expected)) }.max() ?? .max
            #expect(most <= 1)
        }
    }
}
