import MusicModel
import Testing

@testable import Discovery

@Suite("What songs sound like")
struct SoundSpaceTests {
    /// Songs of four styles, each with numbers around the style's, of very different sizes.
    private func space(_ count: Int, styles: Int = 4) -> SoundSpace {
        var generator = PickGenerator(seed: 5)
        let centres = (0..<styles).map { _ in
            (0..<30).map { Float.random(in: -1...1, using: &generator) * ($0 % 2 == 0 ? 1 : 1000) }
        }
        return SoundSpace(
            slots: count,
            (0..<count).map { slot in
                (
                    slot,
                    centres[slot % styles].enumerated().map {
                        $1 + Float.random(in: -0.3...0.3, using: &generator) * ($0 % 2 == 0 ? 1 : 1000)
                    }
                )
            })
    }

    @Test("a song's nearest are of its style, whatever the size of the numbers")
    func styles() {
        let space = space(200)
        for slot in 0..<40 {
            let nearest = space.nearest(slot, 5)
            #expect(nearest.count == 5)
            #expect(nearest.allSatisfy { $0 % 4 == slot % 4 })
        }
        #expect(space.likeness(0, 0) == 1)
        #expect((space.likeness(0, 4) ?? 0) > (space.likeness(0, 1) ?? 1))
    }

    @Test("songs that were not measured are compared by nothing")
    func missing() {
        let space = SoundSpace(slots: 4, [(0, [1, 2, 3]), (2, [2, 3, 4]), (9, [1, 1, 1])])
        #expect(space.likeness(0, 1) == nil)
        #expect(space.nearest(1, 3).isEmpty)
        #expect(space.nearest(0, 3) == [2])
        #expect(SoundSpace().nearest(0, 3).isEmpty)
    }

    @Test("what is no number, is too short or all alike does no harm")
    func hostile() {
        let space = SoundSpace(
            slots: 6, [(0, [1, 5]), (1, [.nan, 1]), (2, [.infinity, 1]), (3, [1]), (4, [1, 5]), (5, [])])
        #expect(space.count == 2)
        #expect(space.likeness(0, 4) == 1)
        #expect(space.likeness(0, 1) == nil)
    }

    @Test("picks and mixes go by the sound where it is known, and say so")
    func picks() {
        let catalogue = SongCatalogue(
            (0..<400).map { index in
                SongCatalogue.Entry(id: SongID(rawValue: Int64(index + 1)), artists: [UInt32(index + 1)], genres: [1])
            })
        var rules = PickRules()
        rules.adventure = 0
        var picker = Picker(
            catalogue, Listening(count: 400), space(400), rules: rules, generator: PickGenerator(seed: 2))
        var request = PickRequest(mode: .similar, now: 1_790_000_000)
        request.anchors = [SongID(rawValue: 1): 1]
        request.current = SongID(rawValue: 1)
        let picks = picker.pick(20, request).picks
        #expect(picks.count == 20)
        #expect(picks.filter { ($0.song.rawValue - 1) % 4 == 0 }.count >= 18)
        #expect(picks.contains { $0.reason.sentence(seedTitle: "Teardrop").hasPrefix("sounds like Teardrop (0.") })
        let maker = MixMaker(
            catalogue, Listening(count: 400), space(400), rules: rules, excluded: [], day: 1, now: 1_790_000_000)
        let similar = maker.similar(to: SongID(rawValue: 1)).first?.songs ?? []
        #expect(similar.count == 50)
        #expect(similar.filter { ($0.rawValue - 1) % 4 == 0 }.count >= 45)
    }
}
