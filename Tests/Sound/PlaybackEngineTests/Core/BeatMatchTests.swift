import Coordination
import Foundation
import MusicModel
import Outputs
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import PlaybackEngine

@Suite("Matching beats")
struct BeatMatchRuleTests {
    private func grid(_ beatsPerMinute: Double, beat: Double = 0, confidence: Double = 1) -> BeatGrid? {
        BeatGrid(beat: beat, period: 60 / beatsPerMinute, confidence: confidence)
    }

    private func match(_ before: BeatGrid?, _ after: BeatGrid?, overlap: Double = 8) -> BeatMatch? {
        BeatMatch(before, after, overlap: .seconds(overlap), duration: .seconds(100))
    }

    @Test("the song that comes plays at the other one's tempo, and begins where beats fall on beats")
    func aligned() throws {
        let found = try #require(match(grid(120, beat: 0.1), grid(123, beat: 0.3)))
        #expect(abs(found.speed - 120.0 / 123) < 1e-9)
        let begin = 100 - found.length.seconds
        let off = (begin + 0.3 / found.speed - 0.1) / 0.5
        #expect(abs(off - off.rounded()) < 1e-6)
        #expect(found.length <= .seconds(8) && found.length > .milliseconds(7500))
    }

    @Test("half and double tempo match", arguments: [60.0, 61, 240, 244])
    func octaves(beatsPerMinute: Double) throws {
        let found = try #require(match(grid(120), grid(beatsPerMinute)))
        #expect(abs(found.speed - 1) < 0.03)
    }

    @Test("songs more than four per cent apart never match", arguments: [114.0, 126, 130, 90, 180])
    func tooFar(beatsPerMinute: Double) { #expect(match(grid(120), grid(beatsPerMinute)) == nil) }

    @Test("songs of which one has no sure beat never match, and short overlaps neither")
    func unsure() {
        #expect(match(grid(120, confidence: 0.4), grid(120)) == nil)
        #expect(match(grid(120), grid(120, confidence: 0.4)) == nil)
        #expect(match(nil, grid(120)) == nil && match(grid(120), nil) == nil)
        #expect(match(grid(120), grid(121), overlap: 1.9) == nil)
    }

    @Test(
        "numbers that no song has make no grid",
        arguments: ["", "1 2", "nan 0.5 1", "1 inf 1", "1 0.5 2", "1 -1 1", "x y z"])
    func nonsense(text: String) { #expect(BeatGrid(text) == nil) }

    @Test("grids are read as they are written")
    func texts() throws {
        let grid = try #require(BeatGrid(beat: 12.25, period: 0.5, confidence: 0.9))
        #expect(BeatGrid(grid.text) == grid)
    }
}

extension AudioTests {
    /// Songs that overlap beat on beat, in what an output has written.
    @Suite(.timeLimit(.minutes(4)))
    struct BeatMatchTests {
        private static let (rate, seconds, overlap) = (44100, 24, 8)

        private func bench(matches: Bool = true) -> Bench {
            let bench = Bench(.fast, outputFormat: nil, fades: FadeSettings(matchesBeats: matches)) { folder in
                var output = OutputSpecification(type: .file, name: "Recording", path: folder.file("out.wav"))
                output.format = AudioFormat(sampleRate: 44100, sample: .float, channels: 2)
                return [output]
            }
            bench.engine.set(.crossfade(Self.overlap))
            return bench
        }

        /// A song on one side.
        private func addSong(_ bench: Bench, _ number: Int64, onLeft: Bool, _ sample: (Double) -> Double) throws
            -> [Float]
        {
            let side = (0..<(Self.rate * Self.seconds)).map {
                Int16((sample(Double($0) / Double(Self.rate)) * 32767).rounded())
            }
            let path = bench.folder.file("\(number).wav")
            try TestSound.write(side.flatMap { onLeft ? [$0, 0] : [0, $0] }, to: path)
            bench.provider.add(number, path: path)
            return side.map { Float($0) / 32768 }
        }

        /// Clicks over a soft tone.
        private func clicks(_ beatsPerMinute: Double, first: Double) -> (Double) -> Double {
            { time in
                let since = (time - first).truncatingRemainder(dividingBy: 60 / beatsPerMinute)
                let click = since >= 0 ? exp(-since * 200) * sin(2 * .pi * 2000 * since) : 0
                return 0.6 * click + 0.02 * sin(2 * .pi * 220 * time)
            }
        }

        private func track(
            _ bench: Bench, _ play: UInt64, _ beatsPerMinute: Double, first: Double, confidence: Double = 1
        ) -> EngineTrack {
            var track = bench.track(play)
            let grid = BeatGrid(beat: first, period: 60 / beatsPerMinute, confidence: confidence)
            track.measuredBeats = SongBeats(head: grid, tail: grid)
            return track
        }

        private func recorded(_ bench: Bench) throws -> (left: [Float], right: [Float]) {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: bench.recording)).dropFirst(44))
            return bytes.withUnsafeBytes { all in
                func side(_ offset: Int) -> [Float] {
                    (0..<(bytes.count / 8)).map { all.loadUnaligned(fromByteOffset: $0 * 8 + offset, as: Float.self) }
                }
                return (side(0), side(4))
            }
        }

        private func play(_ bench: Bench, _ first: EngineTrack, _ second: EngineTrack) async throws -> (
            left: [Float], right: [Float]
        ) {
            bench.engine.start(first, at: .zero, paused: true)
            bench.engine.prepareNext(second)
            #expect(
                await eventually {
                    bench.log.all.contains { if case .info(second.play, _, _, _) = $0 { true } else { false } }
                })
            bench.engine.setPaused(false)
            #expect(await bench.log.waits(for: "finished \(second.play)"))
            await bench.engine.shutDown()
            return try recorded(bench)
        }

        /// When clicks begin, in seconds.
        private func onsets(_ heard: ArraySlice<Float>, above level: Float) -> [Double] {
            var (found, quietUntil): ([Double], Int) = ([], 0)
            for index in heard.indices where index >= quietUntil && abs(heard[index]) > level {
                found.append(Double(index) / Double(Self.rate))
                quietUntil = index + Self.rate / 5
            }
            return found
        }

        @Test(
            "clicks at 120 and 123 beats a minute fall on each other in the overlap",
            arguments: [(120.0, 123.0), (123.0, 120.0)])
        func aligned(tempi: (Double, Double)) async throws {
            let bench = bench()
            _ = try addSong(bench, 1, onLeft: true, clicks(tempi.0, first: 0.11))
            let second = try addSong(bench, 2, onLeft: false, clicks(tempi.1, first: 0.29))
            let (left, right) = try await play(
                bench, track(bench, 1, tempi.0, first: 0.11), track(bench, 2, tempi.1, first: 0.29))
            let begin = try #require(right.firstIndex { $0 != 0 })
            let end = Self.rate * Self.seconds
            #expect(abs(begin - (end - Self.overlap * Self.rate)) < Self.rate / 2, "at most a beat later")
            // Where both can be told from the tone.
            let common = (begin + Self.rate * 2)..<(end - Self.rate * 2)
            let (before, after) = (onsets(left[common], above: 0.06), onsets(right[common], above: 0.06))
            #expect(after.count >= 6)
            let off = after.compactMap { time in before.map { abs($0 - time) }.min() }
            #expect(off.allSatisfy { $0 < 0.015 }, "\(off.map { ($0 * 1e4).rounded() / 10 }) ms")
            print("beats are off by \(off.map { ($0 * 1e4).rounded() / 10 }) ms")
            // Behind the overlap it goes back to its own speed within a few seconds, and then to its very samples.
            let own = Self.rate * 9
            #expect(right.suffix(own).elementsEqual(second.suffix(own)), "its very samples")
            let length = Double(right.count - begin) / Double(Self.rate)
            let stretched = Double(end - begin) / Double(Self.rate) * (1 - tempi.0 / tempi.1)
            #expect(abs(length - Double(Self.seconds) - stretched) < 0.15)
        }

        @Test("times stay those of the song")
        func times() async throws {
            let bench = bench()
            for number in Int64(1)...2 { _ = try addSong(bench, number, onLeft: number == 1, clicks(120, first: 0.1)) }
            _ = try await play(bench, track(bench, 1, 120, first: 0.1), track(bench, 2, 123, first: 0.1))
            let told = bench.log.all.compactMap { event -> (elapsed: Duration, heard: Duration)? in
                if case .progress(2, let elapsed, let heard) = event { (elapsed, heard) } else { nil }
            }
            let last = try #require(told.last)
            #expect(abs(last.elapsed / .seconds(1) - Double(Self.seconds)) < 1e-6)
            for (elapsed, heard) in told {
                // The part that was heard below the first song counts for that one.
                #expect(elapsed - heard > .seconds(7) && elapsed - heard < .seconds(8.3), "\(elapsed) \(heard)")
            }
        }

        @Test("there is no step in a tone that is stretched and goes back")
        func clickless() async throws {
            let bench = bench()
            for number in Int64(1)...2 {
                _ = try addSong(bench, number, onLeft: number == 1) { 0.25 * sin(2 * .pi * 200 * $0) }
            }
            let (_, right) = try await play(bench, track(bench, 1, 120, first: 0), track(bench, 2, 124, first: 0))
            let begin = try #require(right.firstIndex { $0 != 0 })
            var largest: (step: Float, place: Int) = (0, 0)
            for index in begin + 2..<right.count {
                let step = abs(right[index] - 2 * right[index - 1] + right[index - 2])
                if step > largest.step { largest = (step, index) }
            }
            print("largest step \(20 * log10(largest.step)) dB")
            #expect(
                largest.step < 0.001, "\(20 * log10(largest.step)) dB at \(Double(largest.place - begin) / 44100) s")
        }

        @Test("what can't be matched overlaps as before, by no sample otherwise")
        func others() async throws {
            func recording(matches: Bool, _ change: (inout EngineTrack) -> Void) async throws -> [[Float]] {
                let bench = bench(matches: matches)
                _ = try addSong(bench, 1, onLeft: true, clicks(120, first: 0.1))
                _ = try addSong(bench, 2, onLeft: false, clicks(123, first: 0.3))
                var second = track(bench, 2, 123, first: 0.3)
                change(&second)
                let (left, right) = try await play(bench, track(bench, 1, 120, first: 0.1), second)
                return [left, right]
            }
            let plain = try await recording(matches: false) { $0.measuredBeats = nil }
            let off = try await recording(matches: false) { _ in }
            #expect(off == plain)
            let unknown = try await recording(matches: true) { $0.measuredBeats = nil }
            #expect(unknown == plain)
            let far = try await recording(matches: true) {
                $0.measuredBeats?.head = BeatGrid(beat: 0, period: 60 / 126, confidence: 1)
            }
            #expect(far == plain)
            let unsure = try await recording(matches: true) {
                $0.measuredBeats?.head = BeatGrid(beat: 0, period: 60 / 123, confidence: 0.3)
            }
            #expect(unsure == plain)
            let joined = try await recording(matches: false) { $0.followsOnAlbum = true }
            let album = try await recording(matches: true) { $0.followsOnAlbum = true }
            #expect(album == joined && album != plain)
        }

        @Test("seeking, pausing and going on in a song that goes back to its speed leave it as it is")
        func interruptions() async throws {
            let bench = bench()
            _ = try addSong(bench, 1, onLeft: true, clicks(120, first: 0.1))
            let samples = try addSong(bench, 2, onLeft: false, clicks(123, first: 0.3))
            await bench.startBoth(
                at: .zero, track(bench, 1, 120, first: 0.1), track(bench, 2, 123, first: 0.3))
            #expect(await bench.log.waits(for: "started 2"))
            bench.engine.setPaused(true)
            bench.engine.seek(to: .seconds(10))
            bench.engine.setPaused(false)
            #expect(await bench.log.waits(for: "finished 2"))
            await bench.engine.shutDown()
            let right = try recorded(bench).right
            #expect(right.suffix(Self.rate * 14).elementsEqual(samples.suffix(Self.rate * 14)))
        }
    }
}
