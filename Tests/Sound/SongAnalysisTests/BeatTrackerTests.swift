import Coordination
import Foundation
import MusicModel
import Testing
import TestSupport

@testable import SongAnalysis

@Suite("Finding beats")
struct BeatTrackerTests {
    private func beats(
        near tempo: Double, rate: Int = 44_100, seconds: Double = 44, _ sample: (Double) -> Double
    ) throws -> SongBeats {
        let tracker = try #require(BeatTracker(rate: rate))
        let samples = (0..<Int(seconds * Double(rate))).map { Float(sample(Double($0) / Double(rate))) }
        samples.withUnsafeBufferPointer { tracker.take(Downmix.mono($0, channels: 1)) }
        return tracker.beats(near: tempo)
    }

    /// Kick drums with hats between them, over a chord.
    private func drums(_ beatsPerMinute: Double, first: Double, noise: Double = 0.02) -> (Double) -> Double {
        var random = SplitMix64(seed: 7)
        let period = 60 / beatsPerMinute
        return { time in
            let since = (time - first + 100 * period).truncatingRemainder(dividingBy: period)
            let half = (time - first + 100.5 * period).truncatingRemainder(dividingBy: period)
            let hiss = Double(Int64(bitPattern: random.next()) >> 40) / Double(1 << 23)
            let kick = exp(-since * 25) * sin(2 * .pi * 80 * since)
            return 0.6 * kick + 0.15 * exp(-half * 80) * hiss + noise * hiss
                + 0.05 * (sin(2 * .pi * 220 * time) + sin(2 * .pi * 277 * time))
        }
    }

    @Test("beats of drums are found within five milliseconds at both ends", arguments: [84.0, 119.35, 150])
    func drums(tempo: Double) throws {
        // The tempo is known to a per cent.
        for (rate, near) in [tempo < 110 ? (48_000, tempo * 0.992) : (44_100, tempo * 1.008)] {
            let found = try beats(near: near, rate: rate, drums(tempo, first: 0.2))
            for (grid, place) in [(found.head, 3.0), (found.tail, 41.0)] {
                let grid = try #require(grid)
                #expect(grid.isSure, "\(grid)")
                #expect(abs(grid.period * tempo / 60 - 1) < 0.0005, "\(grid)")
                // A beat of the grid against one of the song.
                let beat = grid.beat + ((place - grid.beat) / grid.period).rounded() * grid.period
                let off = (beat - 0.2) / (60 / tempo)
                #expect(abs(off - off.rounded()) * 60 / tempo < 0.005, "\((off - off.rounded()) * 60_000 / tempo) ms")
            }
        }
    }

    @Test("noise, tones, silence and drums without a steady beat have no sure beats")
    func unsure() throws {
        var random = SplitMix64(seed: 1)
        func noise() -> Double { Double(Int64(bitPattern: random.next()) >> 40) / Double(1 << 23) }
        let hiss = try beats(near: 120, seconds: 24) { _ in 0.3 * noise() }
        let tone = try beats(near: 120, seconds: 24) { 0.3 * sin(2 * .pi * 440 * $0) }
        let silence = try beats(near: 120, seconds: 24) { _ in 0 }
        var (next, hit) = (0.0, 0.0)
        let uneven = try beats(near: 120, seconds: 24) { time in
            if time >= next { (hit, next) = (time, time + 0.5 + 0.2 * noise()) }
            return 0.6 * exp(-(time - hit) * 25) * sin(2 * .pi * 80 * (time - hit)) + 0.02 * noise()
        }
        for (name, found) in [("hiss", hiss), ("tone", tone), ("silence", silence), ("uneven", uneven)] {
            #expect(found.head?.isSure != true && found.tail?.isSure != true, "\(name): \(found)")
        }
    }

    @Test("samples that are no numbers and short songs give no beats")
    func little() throws {
        let odd: [Float] = [.nan, .infinity, -.infinity, 1e30]
        var count = 0
        let strange = try beats(near: 120, seconds: 20) { _ in
            count += 1
            return Double(odd[count % 4])
        }
        #expect(strange.head?.isSure != true)
        #expect(try beats(near: 120, seconds: 5, drums(120, first: 0)) == SongBeats())
        #expect(try beats(near: .nan, seconds: 20, drums(120, first: 0)) == SongBeats())
        #expect(BeatTracker(rate: 1000) == nil)
    }
}
