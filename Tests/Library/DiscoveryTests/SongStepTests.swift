import Glibc
import MusicModel
import Testing

@testable import Discovery

@Suite("Steps from song to song")
struct SongStepTests {
    private func traits(_ loudness: Float? = nil, peak: Float? = nil, tempo: Float? = nil, key: String? = nil)
        -> SongTraits
    {
        var traits = SongTraits()
        (traits.loudness, traits.peak, traits.tempo) = (loudness, peak, tempo)
        traits.key = key.flatMap(SongTraits.key)
        return traits
    }

    @Test("small steps of loudness don't count; with ReplayGain only what peaks leave of them does")
    func loudness() {
        let soft = traits(-20, peak: 0.5)
        #expect(soft.step(behind: traits(-18), isLevelled: false) == 0)
        #expect(soft.step(behind: traits(-12), isLevelled: false) > 0.5)
        #expect(soft.step(behind: traits(-12, peak: 1), isLevelled: true) == 0)
        // Peaks keep this one 10 dB below the others.
        #expect(traits(-28, peak: 1).step(behind: traits(-12, peak: 1), isLevelled: true) > 1)
        #expect(traits().step(behind: soft, isLevelled: false) == 0)
        #expect(traits(.nan).step(behind: soft, isLevelled: false) == 0)
    }

    @Test("tempi within a tenth, or double, go together; keys that share most notes do")
    func tempoAndKey() {
        let song = traits(tempo: 120, key: "C")
        for tempo: Float in [110, 130, 60, 240, 125] {
            #expect(traits(tempo: tempo).step(behind: song, isLevelled: false) == 0, "\(tempo)")
        }
        #expect(traits(tempo: 150).step(behind: song, isLevelled: false) > 0.2)
        for key in ["C", "Am", "G", "F", "Em", "Dm"] {
            #expect(traits(key: key).step(behind: song, isLevelled: false) == 0, "\(key)")
        }
        for key in ["Db", "Gb", "Cm", "E"] {
            #expect(traits(key: key).step(behind: song, isLevelled: false) > 0, "\(key)")
        }
        #expect(SongTraits.key("H") == nil && SongTraits.key("") == nil && SongTraits.key("Gbm") == 18)
    }

    /// Songs of every loudness and tempo, picked from everything alike; gives the mean steps in decibels and octaves.
    private func means(isLevelled: Bool, _ traits: (inout PickGenerator) -> SongTraits) -> (Float, Float) {
        var random = PickGenerator(seed: 4)
        let catalogue = SongCatalogue(
            (0..<600).map { index in
                SongCatalogue.Entry(id: SongID(rawValue: Int64(index + 1)), artists: [UInt32(index + 1)], genres: [1])
            })
        let known = (0..<600).map { (slot: $0, traits: traits(&random)) }
        let space = SoundSpace(slots: 600, [], traits: known)
        var picker = Picker(
            catalogue, Listening(count: 600), space, rules: PickRules(), generator: PickGenerator(seed: 9))
        var request = PickRequest(mode: .library, now: 1_790_000_000)
        request.isLevelled = isLevelled
        let picks = picker.pick(200, request).picks.map { known[Int($0.song.rawValue) - 1].traits }
        var (decibels, octaves): (Float, Float) = (0, 0)
        for (one, other) in zip(picks, picks.dropFirst()) {
            func heard(_ song: SongTraits) -> Float {
                guard isLevelled else { return song.loudness ?? 0 }
                return min(-18, (song.loudness ?? 0) - 20 * log10f(song.peak ?? 1))
            }
            decibels += abs(heard(one) - heard(other)) / 199
            // Half and double tempo are none apart.
            let ratio = log2f((other.tempo ?? 1) / (one.tempo ?? 1))
            octaves += (exp2f(abs(ratio - ratio.rounded())) - 1) / 199
        }
        return (decibels, octaves)
    }

    @Test("picks follow each other within 2.5 dB on average, 1 dB with ReplayGain, and a tenth of the tempo")
    func simulation() {
        func traits(_ random: inout PickGenerator) -> SongTraits {
            var song = SongTraits()
            song.loudness = Float.random(in: -28 ... -8, using: &random)
            song.peak = 1
            song.tempo = Float.random(in: 85...165, using: &random)
            return song
        }
        let plain = means(isLevelled: false, traits)
        #expect(plain.0 <= 2.5, "\(plain.0) dB")
        #expect(plain.1 <= 0.1, "\(plain.1)")
        let levelled = means(isLevelled: true) { random in
            var song = traits(&random)
            song.peak = Float.random(in: 0.1...1, using: &random)
            return song
        }
        print("steps: \(plain.0) dB, tempo \(plain.1); with ReplayGain \(levelled.0) dB")
        #expect(levelled.0 <= 1, "\(levelled.0) dB")
    }
}
