import MusicModel
import Testing

@testable import Discovery

/// Ways that pass over songs, or look them up ahead, find the same as those that look at each of them.
@Suite("Fast ways of choosing")
struct PlainChoosingTests {
    private static let now: Int64 = 1_790_000_000

    /// A library by chance: some songs without genres, artists or years, and some that were not measured.
    private struct Chance {
        var generator: PickGenerator
        let entries: [SongCatalogue.Entry]
        let catalogue: SongCatalogue
        let space: SoundSpace
        var listening: Listening

        init(seed: UInt64, songs: Int) {
            var generator = PickGenerator(seed: seed)
            func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
            func numbers(_ most: Int, _ range: ClosedRange<Int>) -> [UInt32] {
                (0..<number(0...most)).map { _ in UInt32(number(range)) }
            }
            entries = (0..<songs).map { index in
                var entry = SongCatalogue.Entry(
                    id: SongID(rawValue: Int64(index + 1)), artists: numbers(2, 1...80), genres: numbers(3, 1...70))
                entry.title = UInt32(number(0...songs))
                (entry.album, entry.albumArtist) = (UInt32(number(0...songs / 8)), UInt32(number(1...3)))
                entry.year = number(0...4) == 0 ? 0 : Int16(number(1950...2020))
                return entry
            }
            catalogue = SongCatalogue(entries)
            var vectors: [(slot: Int, vector: [Float])] = []
            for slot in 0..<songs where number(0...3) > 0 {
                vectors.append((slot, (0..<12).map { _ in Float(number(-100...100)) / 50 }))
            }
            space = SoundSpace(slots: songs, vectors)
            listening = Listening(count: songs)
            for slot in 0..<songs where number(0...5) == 0 {
                listening.hear(slot, at: PlainChoosingTests.now - Int64(number(0...100)) * 43_200)
            }
            self.generator = generator
        }

        mutating func song() -> SongID {
            SongID(rawValue: .random(in: 1...Int64(catalogue.count), using: &generator))
        }

        mutating func related() -> [SongID: Float] {
            let count = Int.random(in: 0...20, using: &generator)
            return Dictionary(
                (0..<count).map { _ in (song(), Float.random(in: 0...1, using: &generator)) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    @Test("how well many songs go with others is what is said of each", arguments: UInt64(0)..<20)
    func values(seed: UInt64) {
        var chance = Chance(seed: seed, songs: 400)
        let slots = Array(0..<400)
        for (anchors, last) in [(0, false), (0, true), (1, false), (3, true)] {
            let weights = Dictionary(
                (0..<anchors).map { (chance.song(), Float($0 + 1)) }, uniquingKeysWith: { first, _ in first })
            let affinity = Affinity(
                chance.catalogue, chance.space, anchors: weights, last: last ? chance.song() : nil,
                related: chance.related())
            let alone = slots.map { affinity.values([$0], chance.catalogue)[0] }
            #expect(affinity.values(slots, chance.catalogue) == alone)
        }
    }

    @Test("the nearest songs are those that come first once all are put in order", arguments: UInt64(0)..<40)
    func nearest(seed: UInt64) {
        var chance = Chance(seed: seed, songs: 1500)
        let (catalogue, slots) = (chance.catalogue, (0..<1500).filter { $0 % 7 != 3 })
        let anchors = Dictionary([(chance.song(), Float(1)), (chance.song(), Float(0.5))], uniquingKeysWith: { $1 })
        let (last, related) = (seed % 3 == 0 ? nil : chance.song(), seed % 2 == 0 ? chance.related() : [:])
        let affinity = Affinity(
            catalogue, chance.space, anchors: seed % 5 == 0 ? [:] : anchors, last: last, related: related)
        let lasting = Picker.Lasting(affinity, slots, catalogue)
        func allows(_ slot: Int) -> Bool { slot % 11 != 5 }
        for limit in [1, 50, 200, 5000] {
            var picker = Picker(
                catalogue, chance.listening, chance.space, rules: PickRules(), generator: PickGenerator(seed: seed))
            var generator = PickGenerator(seed: seed)
            let found = picker.nearest(limit, in: slots, lasting, affinity) { allows(slots[$0]) }
            let plain = slots.filter(allows)
                .map { (score: affinity.values([$0], catalogue)[0] + 0.02 * generator.unit(), slot: $0) }
                .sorted { ($1.score, $0.slot) < ($0.score, $1.slot) }.prefix(limit)
            #expect(found.map(\.slot) == plain.map(\.slot) && found.map(\.score) == plain.map(\.score))
            let (next, plainNext) = (picker.generator.next(), generator.next())
            #expect(next == plainNext, "later picks draw the same numbers")
        }
    }

    @Test("a playlist is made of those whose nearness and luck are best, of all songs", arguments: UInt64(0)..<20)
    func mixes(seed: UInt64) throws {
        let chance = Chance(seed: seed, songs: 1000)
        let maker = MixMaker(
            chance.catalogue, chance.listening, chance.space, rules: PickRules(), excluded: [], day: Int64(seed),
            now: Self.now)
        let pool = maker.allowed
        var luck = PickGenerator(seed: seed)
        let nearness = pool.map { _ in Float.random(in: 0...1, using: &luck) }
        let mix = try #require(maker.mix("One", of: pool, nearness, seed: 5, length: 20))
        var generator = PickGenerator(seed: MixMaker.hash("One", 5))
        let scored = pool.enumerated().map { place, slot in
            let last = chance.listening.lastHeard[slot]
            let fresh: Float = last <= 0 || last < Self.now - 7 * 86_400 ? 0.4 : 0
            return (score: 6 * nearness[place] + fresh + 0.5 * generator.gumbel(), slot: slot)
        }
        let best = scored.sorted { ($1.score, $0.slot) < ($0.score, $1.slot) }.prefix(160).map(\.slot)
        #expect(mix.songs == maker.spread(best, 20).map { chance.catalogue.ids[$0] })
    }

    @Test("albums and artists like a song are those whose songs are nearest on average", arguments: UInt64(0)..<20)
    func groups(seed: UInt64) {
        var chance = Chance(seed: seed, songs: 1500)
        let (song, catalogue, entries) = (chance.song(), chance.catalogue, chance.entries)
        let current = Int(song.rawValue) - 1
        let maker = MixMaker(
            catalogue, chance.listening, chance.space, rules: PickRules(), excluded: [], day: 1, now: Self.now)
        let others = maker.allowed.filter { $0 != current && !catalogue.isSamePiece($0, current) }
        let affinity = Affinity(catalogue, chance.space, anchors: [song: 1], last: nil)
        let nearness = others.reduce(into: [:]) { $0[$1] = affinity.values([$1], catalogue)[0] }

        /// The groups of songs, the nearest on average first.
        func nearest(_ count: Int, ofAtLeast fewest: Int, by key: (SongCatalogue.Entry) -> [UInt32]?) -> [[Int]] {
            let groups = Dictionary(grouping: others) { key(entries[$0]) }.filter { $0.key != nil }.map(\.value)
            let means = groups.filter { $0.count >= fewest }.map { slots in
                (mean: slots.reduce(Float(0)) { $0 + (nearness[$1] ?? 0) } / Float(slots.count), slots: slots)
            }
            return means.sorted { ($1.mean, $0.slots[0]) < ($0.mean, $1.slots[0]) }.prefix(count).map(\.slots)
        }
        let albums = nearest(6, ofAtLeast: 3) { entry in
            let key = [entry.album, entry.albumArtist]
            return entry.album == 0 || key == [entries[current].album, entries[current].albumArtist] ? nil : key
        }
        let artists = nearest(25, ofAtLeast: 1) { entry in
            entry.artists.contains { entries[current].artists.contains($0) } ? nil : entry.artists.first.map { [$0] }
        }.map { $0.sorted { (nearness[$1] ?? 0, $0) < (nearness[$0] ?? 0, $1) } }
        let expected: [[Int]] = [
            albums.flatMap { $0 }, artists.map { $0[0] } + artists.filter { $0.count > 1 }.map { $0[1] },
        ]
        let found = MixMaker.similarNames.dropFirst().map { name in
            maker.similar(to: song).first { $0.name == name }?.songs ?? []
        }
        #expect(found == expected.map { slots in slots.count < 20 ? [] : slots.map { catalogue.ids[$0] } })
    }

    @Test("the luck of a draw is never more than what is told of it without a logarithm")
    func luck() {
        var generator = PickGenerator(seed: 3)
        for _ in 0..<100_000 {
            let unit = generator.unit()
            #expect(PickGenerator.gumbel(unit) <= PickGenerator.maxGumbel(unit))
        }
        for unit: Float in [0.5 / Float(1 << 23), 0.25, 0.5, 0.75, 1 - 0.5 / Float(1 << 23)] {
            #expect(PickGenerator.gumbel(unit) <= PickGenerator.maxGumbel(unit))
        }
    }
}
