import MusicModel
import Testing

@testable import Discovery

@Suite("Playlists that are made for the listener")
struct MixTests {
    private static let now: Int64 = 1_790_000_000

    /// 600 songs on 60 albums by 30 artists, of three genres and three decades; half of the first 60 were often heard.
    private func maker(day: Int64 = 20_000, _ change: (inout Listening) -> Void = { _ in }) -> MixMaker {
        let catalogue = SongCatalogue(
            (0..<600).map { index in
                var entry = SongCatalogue.Entry(
                    id: SongID(rawValue: Int64(index + 1)), artists: [UInt32(index / 20 + 1)],
                    genres: [UInt32(index / 20 % 3 + 1)])
                entry.album = UInt32(index / 10 + 1)
                entry.albumArtist = UInt32(index / 20 + 1)
                entry.title = UInt32(index + 1)
                entry.year = Int16(1975 + index / 200 * 10)
                entry.moods = index % 2 == 0 ? [7] : []
                entry.added = Self.now - Int64(index) * 86_400
                return entry
            }, genreNames: [1: "Dub", 2: "Drum/Bass", 3: "Folk"], moodNames: [7: "Calm"])
        var listening = Listening(count: 600)
        for slot in stride(from: 0, to: 60, by: 2) {
            for _ in 0..<6 { listening.hear(slot, at: Self.now - 300 * 86_400) }
        }
        change(&listening)
        return MixMaker(catalogue, listening, rules: PickRules(), excluded: [], day: day, now: Self.now)
    }

    private func names(_ mixes: [Mix]) -> [String] { mixes.map(\.name) }

    /// What was measured of the first of 300 songs: how lively each is.
    private static func space(_ energies: [Float]) -> SoundSpace {
        let traits = energies.enumerated().map { slot, energy in
            var traits = SongTraits()
            traits.energy = energy
            return (slot: slot, traits: traits)
        }
        return SoundSpace(slots: 300, [], traits: traits)
    }

    @Test("every group has its playlists, and a slash in a genre is none in the name")
    func groups() {
        let maker = maker()
        #expect(
            names(maker.day(Set(MixGroup.allCases))) == [
                "[Daily mix 1]", "[Daily mix 2]", "[Daily mix 3]", "[Discover weekly]", "[Forgotten favourites]",
                "[Deep cuts]", "[New arrivals]", "[Never played]", "[Mix: Dub]", "[Mix: Drum-Bass]", "[Mix: Folk]",
                "[Mood: Calm]", "[Decade: 1970s]", "[Decade: 1980s]", "[Decade: 1990s]",
            ])
        #expect(maker.day([]).isEmpty)
        #expect(names(maker.day([.decade])).count == 3)
    }

    @Test("a playlist is the same for a day and another one on the next; the weekly one stays for the week")
    func days() throws {
        let groups: Set<MixGroup> = [.genre, .daily]
        // A Tuesday and the Wednesday behind it.
        let (first, again, next) = (
            maker(day: 20_000).day(groups), maker(day: 20_000).day(groups), maker(day: 20_001).day(groups)
        )
        #expect(first == again)
        #expect(names(first) == names(next))
        for (today, tomorrow) in zip(first, next) {
            #expect((today.songs == tomorrow.songs) == (today.name == "[Discover weekly]"), "\(today.name)")
        }
    }

    @Test("artists are apart, no song comes twice, and what is in a playlist belongs there")
    func contents() throws {
        let maker = maker()
        for mix in maker.day(Set(MixGroup.allCases)) {
            #expect(mix.songs.count >= 20 && mix.songs.count <= 50)
            #expect(Set(mix.songs).count == mix.songs.count)
        }
        let mix = try #require(maker.day([.genre]).first)
        let slots = mix.songs.map { Int($0.rawValue - 1) }
        #expect(slots.allSatisfy { $0 / 20 % 3 == 0 })
        for (place, slot) in slots.enumerated() {
            #expect(!slots[max(0, place - 4)..<place].contains { $0 / 20 == slot / 20 })
        }
        let weekly = try #require(maker.day([.daily]).last)
        #expect(weekly.songs.allSatisfy { $0.rawValue > 60 || $0.rawValue % 2 == 0 })
    }

    @Test("what has fewer than twenty songs is not there; without anything heard there are no daily mixes")
    func fewest() {
        let maker = maker { listening in
            listening = Listening(count: 600)
            for slot in 0..<600 where slot % 40 != 0 { listening.disliked.insert(slot) }
        }
        #expect(maker.day(Set(MixGroup.allCases)).isEmpty)
        #expect(names(self.maker { $0 = Listening(count: 600) }.day([.daily, .memories])).isEmpty)
    }

    @Test("songs, albums and artists like the current one leave it out")
    func similar() throws {
        let mixes = maker().similar(to: SongID(rawValue: 100))
        #expect(names(mixes) == MixMaker.similarNames)
        #expect(mixes == maker().similar(to: SongID(rawValue: 100)))
        for mix in mixes { #expect(!mix.songs.contains(SongID(rawValue: 100))) }
        let albums = try #require(mixes.dropFirst().first).songs
        #expect(albums.count == 60)
        for start in stride(from: 0, to: 60, by: 10) {
            #expect(Set(albums[start..<start + 10].map { ($0.rawValue - 1) / 10 }).count == 1)
        }
        let artists = try #require(mixes.last).songs
        #expect(artists.allSatisfy { ($0.rawValue - 1) / 20 != 99 / 20 })
        #expect(maker().similar(to: SongID(rawValue: 9999)).isEmpty)
    }

    @Test("without moods in tags there are thirds of the measured songs by how lively they are")
    func energies() throws {
        let catalogue = SongCatalogue(
            (0..<300).map { index in
                SongCatalogue.Entry(id: SongID(rawValue: Int64(index + 1)), artists: [UInt32(index + 1)], genres: [1])
            })
        func mixes(_ energies: [Float]) -> [Mix] {
            MixMaker(
                catalogue, Listening(count: 300), Self.space(energies), rules: PickRules(), excluded: [], day: 1,
                now: Self.now
            ).day([.mood])
        }
        // The liveliest have the lowest numbers; of the last 60 nothing is known.
        let made = mixes((0..<240).map { 1 - Float($0) / 240 })
        #expect(names(made) == ["[Mood: Calm]", "[Mood: Steady]", "[Mood: Energetic]"])
        for (mix, slots) in zip(made, [160..<240, 80..<160, 0..<80]) {
            #expect(mix.songs.count == 50)
            #expect(mix.songs.allSatisfy { slots.contains(Int($0.rawValue - 1)) }, "\(mix.name)")
        }
        #expect(mixes([]).isEmpty)
        #expect(mixes((0..<57).map { _ in 0.5 }).isEmpty, "fewer than twenty each")
        #expect(names(maker().day([.mood])) == ["[Mood: Calm]"], "tags count more")
    }

    @Test("moods that too few songs have leave the thirds where they are")
    func fewMoods() {
        let catalogue = SongCatalogue(
            (0..<300).map { index in
                var entry = SongCatalogue.Entry(
                    id: SongID(rawValue: Int64(index + 1)), artists: [UInt32(index + 1)], genres: [1])
                entry.moods = index < 19 ? [7] : []
                return entry
            }, moodNames: [7: "Wistful"])
        let maker = MixMaker(
            catalogue, Listening(count: 300), Self.space((0..<300).map { Float($0) / 300 }), rules: PickRules(),
            excluded: [], day: 1, now: Self.now)
        #expect(names(maker.day([.mood])) == ["[Mood: Calm]", "[Mood: Steady]", "[Mood: Energetic]"])
    }

    @Test("what is heard at this time of day comes near to what is played then, and changes with the part of the day")
    func rightNow() throws {
        func mixes(_ heard: [Int: Int], part: Int64 = 1) -> [Mix] {
            var maker = maker()
            maker.facts.heardNow = heard
            maker.facts.partOfDay = part
            return maker.day([.now])
        }
        // Songs of the first genre are heard in the morning.
        let morning = Dictionary(uniqueKeysWithValues: (0..<6).map { ($0 * 60, 9) })
        let mix = try #require(mixes(morning).first)
        #expect(mix.name == "[Right now]" && mix.songs.count == 50)
        let near = mix.songs.filter { ($0.rawValue - 1) / 20 % 3 == 0 }
        #expect(near.count >= 40, "\(near.count) of its genre")
        #expect(mixes(morning) == mixes(morning))
        #expect(mixes(morning, part: 2).first?.songs != mix.songs)
        #expect(mixes([0: 1, 1: 1]).isEmpty, "two songs say nothing")
    }

    @Test("parts of the day begin where they should")
    func partsOfDay() {
        let day: Int64 = 20_000 * 86_400
        for (hour, begin, rest) in [(0, 0, 6), (5, 0, 1), (6, 6, 5), (13, 11, 1), (14, 14, 4), (23, 18, 1)]
            as [(Int64, Int64, Int64)]
        {
            #expect(MixFacts.partBegin(day + hour * 3600) == begin * 3600)
            #expect(MixFacts.untilNextPart(day + hour * 3600) == rest * 3600)
        }
    }

    @Test("three songs make no playlist, and do no harm")
    func threeSongs() {
        let catalogue = SongCatalogue(
            (0..<3).map { SongCatalogue.Entry(id: SongID(rawValue: Int64($0 + 1)), artists: [1], genres: [1]) })
        let maker = MixMaker(
            catalogue, Listening(count: 3), rules: PickRules(), excluded: [], day: 1, now: Self.now)
        #expect(maker.day(Set(MixGroup.allCases)).isEmpty)
        #expect(maker.similar(to: SongID(rawValue: 1)).isEmpty)
        #expect(maker.autoDJ(from: SongID(rawValue: 1), rules: PickRules()) == nil)
    }

    @Test("where every song has one star there is no playlist")
    func oneStar() {
        let maker = maker { listening in for slot in 0..<600 { listening.rate(slot, 2) } }
        #expect(maker.day(Set(MixGroup.allCases)).isEmpty)
    }
}
