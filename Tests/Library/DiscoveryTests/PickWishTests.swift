@testable import Discovery
import MusicModel
import Testing

@Suite("Wishes in words")
struct PickWishTests {
    private func wish(_ text: String) -> PickWish {
        PickWish(
            reading: text, genres: ["Jazz", "Rock", "Indie Rock", "Trip-Hop", "R&B", ""],
            moods: ["Dreamy", "Calm down"])
    }

    @Test("genres, decades and how lively it is are read from a sentence")
    func sentence() {
        let found = wish("Some calm '90s JAZZ, please!")
        #expect(found.genres == ["jazz"] && found.years == 1990...1999)
        #expect(found.energy?.upperBound ?? 1 < 0.5)
        #expect(found.sentence == "calm, jazz, 1990 to 1999")
    }

    @Test("a long name is not a short one, and punctuation doesn't matter")
    func names() {
        #expect(wish("indie rock").genres == ["indie rock"])
        #expect(wish("indie rock and rock").genres == ["indie rock", "rock"])
        #expect(wish("trip hop or r & b").genres == ["trip hop", "r b"])
        #expect(wish("dreamy rocket").genres.isEmpty && wish("dreamy rocket").moods == ["dreamy"])
    }

    @Test(
        "years are read as people write them",
        arguments: [
            ("1994", 1994...1994), ("80s", 1980...1989), ("2010s", 2010...2019), ("00s", 2000...2009),
            ("from 1971 to 1975", 1971...1975), ("seventies and eighties", 1970...1989),
        ])
    func years(text: String, years: ClosedRange<Int>) { #expect(wish(text).years == years) }

    @Test("beats a minute are read, and met by songs of nearly that tempo")
    func tempo() throws {
        let found = wish("rock, 120 bpm")
        #expect(found.tempo == 114...126 && found.sentence == "rock, 114 to 126 bpm")
        #expect(wish("nan bpm").isEmpty && wish("999 bpm").isEmpty && wish("bpm").isEmpty)
        let ids = (1...4).map { SongID(rawValue: $0) }
        let catalogue = SongCatalogue(ids.map { .init(id: $0, artists: [UInt32($0.rawValue)], genres: []) })
        let traits = ([100, 118, 240] as [Float]).enumerated().map { slot, tempo in
            var traits = SongTraits()
            traits.measuredTempo = tempo
            return (slot: slot, traits: traits)
        }
        var picker = Picker(
            catalogue, Listening(count: 4), SoundSpace(slots: 4, [], traits: traits), rules: PickRules(),
            generator: PickGenerator(seed: 7))
        var request = PickRequest(mode: .library, now: 1_700_000_000)
        request.wish = wish("120 bpm")
        let result = picker.pick(1, request)
        #expect(result.picks.map(\.song) == [ids[1]] && result.unmet.isEmpty)
        request.wish = wish("60 bpm")
        #expect(picker.pick(1, request).unmet == [.tempo])
    }

    @Test(
        "what means nothing is no wish",
        arguments: [
            "", "play something", "99999", "9s", "99999999999999999999s", "1234s", String(repeating: "x ", count: 5000),
        ])
    func nothing(text: String) { #expect(wish(text).isEmpty) }

    @Test("picks meet the wish, and parts that nothing meets give way and are named")
    func picks() {
        let entries = (0..<40).map { number in
            var entry = SongCatalogue.Entry(
                id: SongID(rawValue: Int64(number) + 1), artists: [UInt32(number) + 10], genres: [number < 20 ? 1 : 2])
            entry.year = number % 2 == 0 ? 1994 : 1975
            return entry
        }
        let catalogue = SongCatalogue(entries, genreNames: [1: "Jazz", 2: "Rock"])
        var picker = Picker(
            catalogue, Listening(count: 40), rules: PickRules(), generator: PickGenerator(seed: 7))
        var request = PickRequest(mode: .library, now: 1_700_000_000)
        request.wish = wish("jazz 90s")
        let result = picker.pick(8, request)
        #expect(result.picks.count == 8 && result.unmet.isEmpty)
        #expect(result.picks.allSatisfy { $0.song.rawValue <= 20 && $0.song.rawValue % 2 == 1 })
        request.wish = wish("calm jazz")
        let relaxed = picker.pick(3, request)
        #expect(relaxed.unmet == [.energy])
        #expect(relaxed.picks.count == 3 && relaxed.picks.allSatisfy { $0.song.rawValue <= 20 })
    }

    @Test(
        "whole albums meet a wish, too, and an album that doesn't is left",
        arguments: [PickMode.album, .randomAlbums])
    func albums(mode: PickMode) {
        let entries = (0..<80).map { index in
            let album = UInt32(index / 4 + 1)
            var entry = SongCatalogue.Entry(
                id: SongID(rawValue: Int64(index + 1)), artists: [album], genres: [index / 4 % 4 == 1 ? 2 : 1])
            (entry.title, entry.album, entry.albumArtist) = (UInt32(1000 + index), album, album)
            entry.year = index < 40 ? 1994 : 1975
            return entry
        }
        let catalogue = SongCatalogue(entries, genreNames: [1: "Rock", 2: "Jazz"])
        var picker = Picker(catalogue, Listening(count: 80), rules: PickRules(), generator: PickGenerator(seed: 7))
        var request = PickRequest(mode: mode, now: 1_700_000_000)
        request.wish = wish("jazz 90s")
        // The first album plays, and is rock.
        (request.current, request.lineup, request.anchors) = (entries[0].id, [entries[0].id], [entries[0].id: 1])
        let result = picker.pick(8, request)
        let slots = result.picks.map { Int($0.song.rawValue - 1) }
        #expect(slots.count == 8 && slots.allSatisfy { $0 / 4 % 4 == 1 && $0 < 40 } && result.unmet.isEmpty)
        #expect(slots.prefix(4).map { $0 } == (0..<4).map { slots[0] + $0 })
        request.wish = wish("jazz 30s")
        let relaxed = picker.pick(2, request)
        #expect(relaxed.unmet == [.years])
        #expect(relaxed.picks.count == 2 && relaxed.picks.allSatisfy { ($0.song.rawValue - 1) / 4 % 4 == 1 })
    }
}
