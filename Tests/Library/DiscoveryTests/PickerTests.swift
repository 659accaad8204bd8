import Foundation
import MusicModel
import Testing

@testable import Discovery

@Suite("Picking")
struct PickerTests {
    static let now: Int64 = 1_790_000_000
    static let day: Int64 = 86_400

    private func songs(_ count: Int, _ change: (inout SongCatalogue.Entry, Int) -> Void = { _, _ in }) -> SongCatalogue
    {
        SongCatalogue(
            (0..<count).map { index in
                var entry = SongCatalogue.Entry(
                    id: SongID(rawValue: Int64(index + 1)), artists: [UInt32(index % 10 + 1)], genres: [1])
                entry.title = UInt32(1000 + index)
                entry.seconds = 200
                change(&entry, index)
                return entry
            }, genreNames: [1: "Rock", 2: "Dub", 3: "Folk"])
    }

    private func picker(
        _ catalogue: SongCatalogue, _ listening: Listening? = nil, _ change: (inout PickRules) -> Void = { _ in }
    ) -> Picker {
        var rules = PickRules()
        change(&rules)
        return Picker(
            catalogue, listening ?? Listening(count: catalogue.count), rules: rules,
            generator: PickGenerator(seed: 7))
    }

    private func request(_ mode: PickMode = .library, _ change: (inout PickRequest) -> Void = { _ in }) -> PickRequest {
        var request = PickRequest(mode: mode, now: Self.now)
        change(&request)
        return request
    }

    private func id(_ slot: Int) -> SongID { SongID(rawValue: Int64(slot + 1)) }

    @Test("no two picks within the gap are by one artist")
    func artistGap() {
        let catalogue = songs(400)
        var picker = picker(catalogue)
        let picks = picker.pick(50, request()).picks.map { Int($0.song.rawValue - 1) }
        #expect(picks.count == 50)
        for (place, slot) in picks.enumerated() {
            for before in picks[max(0, place - 6)..<place] { #expect(!catalogue.sharesArtist(slot, before)) }
        }
    }

    @Test("what waits, is disliked, rated too low, excepted or too long is never picked")
    func never() {
        var listening = Listening(count: 30)
        for slot in 0..<5 { listening.rate(slot, 2) }
        for slot in 5..<10 { listening.disliked.insert(slot) }
        let catalogue = songs(30) { entry, index in
            entry.artists = [UInt32(index + 1)]
            if (10..<15).contains(index) { entry.seconds = 3600 }
        }
        var picker = picker(catalogue, listening) { $0.maxSong = .seconds(1800) }
        let result = picker.pick(
            30,
            request {
                $0.excluded = Set((15..<20).map { SongID(rawValue: $0 + 1) })
                $0.unavailable = Set((20..<25).map { SongID(rawValue: $0 + 1) })
            })
        #expect(Set(result.picks.map(\.song)) == Set((25..<30).map { SongID(rawValue: $0 + 1) }))
        #expect(result.allowed == 10)
    }

    @Test("everything rated one star leaves nothing, and says so")
    func everythingDisliked() {
        var listening = Listening(count: 20)
        for slot in 0..<20 { listening.rate(slot, 2) }
        var picker = picker(songs(20), listening)
        let result = picker.pick(3, request())
        #expect(result.picks.isEmpty)
        #expect(result.allowed == 0)
    }

    @Test("the lowest rating can be switched off")
    func anyRating() {
        var listening = Listening(count: 20)
        for slot in 0..<20 { listening.rate(slot, 2) }
        var picker = picker(songs(20), listening) { $0.lowestRating = 0 }
        #expect(picker.pick(3, request()).picks.count == 3)
    }

    @Test("a library of three songs goes on without an end, and the rules give way in their order")
    func threeSongs() {
        let catalogue = songs(3) { entry, _ in entry.artists = [1] }
        var listening = Listening(count: 3)
        var current = 0
        var waiting = [1, 2]
        for step in 0..<12 {
            listening.hear(current, at: Self.now)
            var picker = picker(catalogue, listening)
            let result = picker.pick(
                1,
                request(.similar) {
                    $0.current = id(current)
                    $0.unavailable = Set(waiting.map(id))
                    $0.lineup = ([current] + waiting).map(id)
                    $0.anchors = [id(0): 1]
                })
            #expect(result.picks.map(\.song) == [id(current)], "step \(step)")
            #expect(result.picks.first?.reason.relaxed == .anything)
            waiting.append(current)
            current = waiting.removeFirst()
        }
    }

    @Test("picks don't stay near a song that was turned down because it is the last one", arguments: [false, true])
    func turnedDown(isTurnedDown: Bool) {
        let catalogue = songs(600) { entry, index in
            (entry.artists, entry.genres) = ([UInt32(index + 1)], [UInt32(index / 300 + 1)])
        }
        let others = (0..<40).filter { seed in
            var picker = Picker(
                catalogue, Listening(count: 600), rules: PickRules(), generator: PickGenerator(seed: UInt64(seed)))
            let result = picker.pick(
                1,
                request(.similar) {
                    $0.lineup = [id(0)]
                    if isTurnedDown { ($0.turnedDown, $0.unavailable) = ([id(0)], [id(0)]) }
                })
            return result.picks.first.map { $0.song.rawValue > 300 } ?? false
        }
        #expect(others.isEmpty == !isTurnedDown, "\(others.count) of another genre")
    }

    @Test("hours give way before the artist's gap")
    func order() {
        // Songs 0 to 4 were heard just now; 5 to 9 are by the artist before the place.
        let catalogue = songs(10) { entry, index in entry.artists = [index < 5 ? UInt32(index + 1) : 99] }
        var listening = Listening(count: 10)
        for slot in 0..<5 { listening.hear(slot, at: Self.now - 60) }
        var picker = picker(catalogue, listening)
        let result = picker.pick(3, request { $0.lineup = [id(5)] })
        #expect(result.picks.first.map { $0.song.rawValue <= 5 } ?? false)
        #expect(result.picks.first?.reason.relaxed == .repeatHours)
    }

    @Test("a single and its album's track don't follow each other")
    func samePiece() {
        let catalogue = songs(20) { entry, index in
            entry.artists = [UInt32(index / 2 + 1)]
            entry.title = UInt32(index / 2 + 500)
        }
        var picker = picker(catalogue) {
            $0.artistGap = 0
            $0.repeatHours = 0
        }
        let titles = picker.pick(10, request()).picks.map { Int($0.song.rawValue - 1) / 2 }
        #expect(Set(titles).count == 10)
    }

    @Test("genres keep to the genres of what was chosen, favourites to what is liked")
    func modes() {
        let catalogue = songs(60) { entry, index in entry.genres = [UInt32(index % 3 + 1)] }
        var listening = Listening(count: 60)
        for slot in 10..<20 { listening.like(slot) }
        var picker = picker(catalogue, listening)
        let genre = picker.pick(5, request(.genre) { $0.anchors = [id(1): 1] }).picks
        #expect(genre.count == 5)
        #expect(genre.allSatisfy { ($0.song.rawValue - 1) % 3 == 1 && $0.reason.genre == "Dub" })
        let favourites = picker.pick(5, request(.favourites)).picks
        #expect(favourites.allSatisfy { (11...20).contains($0.song.rawValue) })
    }

    @Test("forgotten songs were dear and not heard for half a year; deep cuts are by artists that are heard")
    func memories() {
        let catalogue = songs(40)
        var listening = Listening(count: 40)
        for slot in 0..<10 {
            for _ in 0..<6 { listening.hear(slot, at: Self.now - (slot < 5 ? 300 : 10) * Self.day) }
        }
        var picker = picker(catalogue, listening)
        let forgotten = picker.pick(5, request(.forgotten))
        #expect(Set(forgotten.picks.map(\.song)) == Set((0..<5).map(id)))
        for slot in [1, 2] { for _ in 0..<12 { listening.hear(slot, at: Self.now - 3 * Self.day) } }
        var other = self.picker(catalogue, listening)
        let deep = other.pick(4, request(.deepCuts)).picks
        #expect(!deep.isEmpty)
        #expect(deep.allSatisfy { [2, 3].contains($0.song.rawValue % 10) && $0.song.rawValue > 10 })
    }

    @Test("a mode without songs becomes the whole library, and the result says so")
    func emptyMode() {
        var picker = picker(songs(30))
        let result = picker.pick(2, request(.favourites))
        #expect(result.isOtherMode)
        #expect(result.picks.count == 2)
    }

    @Test("albums are played through, then another one begins")
    func albums() {
        let catalogue = songs(40) { entry, index in
            entry.album = UInt32(index / 4 + 1)
            entry.albumArtist = UInt32(index / 4 + 1)
            entry.artists = [UInt32(index / 4 + 1)]
        }
        var picker = picker(catalogue)
        let picks = picker.pick(
            6,
            request(.album) {
                $0.current = id(1); $0.lineup = [id(1)]
            }
        ).picks
        #expect(picks.prefix(2).map(\.song) == [id(2), id(3)])
        let next = Int((picks.dropFirst(2).first?.song.rawValue ?? 0) - 1)
        #expect(next % 4 == 0)
        #expect(picks.dropFirst(2).map(\.song) == (0..<4).map { id(next + $0) })
    }

    @Test("albums at random come whole, liked and unheard ones sooner, and every one some time")
    func randomAlbums() {
        let catalogue = songs(120) { entry, index in
            entry.album = UInt32(index / 4 + 1)
            entry.albumArtist = UInt32(index / 4 + 1)
            entry.artists = [UInt32(index / 4 + 1)]
        }
        var listening = Listening(count: 120)
        for slot in 0..<40 { listening.rate(slot, 10) }
        for slot in 40..<120 { listening.hear(slot, at: Self.now - 3 * Self.day) }
        var counts = [Int](repeating: 0, count: 30)
        for seed in 0..<1500 {
            var picker = Picker(
                catalogue, listening, rules: PickRules(), generator: PickGenerator(seed: UInt64(seed)))
            let picks = picker.pick(4, request(.randomAlbums)).picks.map(\.song)
            let first = Int((picks.first?.rawValue ?? 0) - 1)
            #expect(picks == (0..<4).map { id(first + $0) } && first % 4 == 0)
            counts[first / 4] += 1
        }
        let liked = Double(counts[..<10].reduce(0, +)) / 1500
        // Ten albums of weight e², twenty that weigh a little more than 1.
        #expect((0.7...0.84).contains(liked), "\(liked)")
        #expect(!counts.contains(0))
    }

    @Test("while the server is away what is here goes before every rule, and the reason says so")
    func absence() {
        // All that is here was heard just now, by the artist before the place.
        let catalogue = songs(40) { entry, index in entry.artists = [index < 4 ? 99 : UInt32(index + 1)] }
        var listening = Listening(count: 40)
        for slot in 0..<4 { listening.hear(slot, at: Self.now - 60) }
        for mode in [PickMode.library, .similar, .favourites] {
            var picker = picker(catalogue, listening)
            let result = picker.pick(
                5,
                request(mode) {
                    $0.present = Set((0..<4).map(id))
                    $0.unavailable = [id(3)]
                    $0.lineup = [id(3)]
                    $0.anchors = [id(10): 1]
                })
            #expect(Set(result.picks.prefix(3).map(\.song)) == Set((0..<3).map(id)))
            #expect(result.picks.prefix(3).allSatisfy { $0.reason.absence == .isHere })
            #expect(result.picks.count == 5 && result.picks.dropFirst(3).allSatisfy { $0.song.rawValue > 4 })
            #expect(result.picks.last?.reason.absence == .hasToBeFetched && result.allowed == 40)
        }
        var reason = PickReason(mode: .new)
        reason.absence = .isHere
        #expect(
            reason.sentence(seedTitle: nil)
                == "new in your library, never heard here, here while your server is away")
    }

    @Test("a mood is that of tags, or else how lively songs are")
    func moods() {
        let catalogue = songs(30) { entry, index in
            entry.artists = [UInt32(index + 1)]
            if index < 10 { entry.moods = [UInt32(index % 2 + 1)] }
        }
        let traits = (0..<30).map { slot in
            var traits = SongTraits()
            traits.energy = slot % 3 == 0 ? 0.2 : 0.7
            return (slot: slot, traits: traits)
        }
        let space = SoundSpace(slots: 30, [], traits: traits)
        var rules = PickRules()
        rules.artistGap = 0
        var picker = Picker(
            catalogue, Listening(count: 30), space, rules: rules, generator: PickGenerator(seed: 7))
        let tagged = picker.pick(3, request(.mood) { $0.anchors = [id(1): 1] }).picks
        #expect(tagged.count == 3 && tagged.allSatisfy { $0.song.rawValue % 2 == 0 && $0.song.rawValue <= 10 })
        let calm = picker.pick(3, request(.mood) { $0.anchors = [id(12): 1] }).picks
        #expect(calm.count == 3 && calm.allSatisfy { ($0.song.rawValue - 1) % 3 == 0 })
        #expect(picker.pick(1, request(.mood)).isOtherMode)
    }

    @Test("an empty library has nothing to pick")
    func empty() {
        var picker = picker(SongCatalogue([]))
        #expect(picker.pick(3, request()).picks.isEmpty)
    }

    @Test("numbers that only damage can have made do no harm")
    func damage() {
        let catalogue = songs(20) { entry, index in
            entry.seconds = index % 2 == 0 ? .min : .max
            entry.year = .min
            entry.added = .min
        }
        var listening = Listening(count: 20)
        for slot in 0..<20 {
            listening.lastHeard[slot] = slot % 2 == 0 ? .max : .min
            listening.plays[slot] = .max
            listening.skips[slot] = .max
            listening.lastSkipped[slot] = .max
        }
        var picker = picker(catalogue, listening)
        for mode in PickMode.allCases { _ = picker.pick(3, request(mode) { $0.anchors = [id(0): .nan] }) }
    }

    @Test("reasons name what was chosen, what they share and when it was heard")
    func reasons() {
        var reason = PickReason(mode: .similar)
        reason.genre = "Trip-Hop"
        reason.daysUnheard = 430
        #expect(reason.sentence(seedTitle: "Teardrop") == "shares Trip-Hop with Teardrop, not heard for 14 months")
        reason.likeness = 0.912
        reason.relaxed = .artistGap
        #expect(
            reason.sentence(seedTitle: "Teardrop")
                == "sounds like Teardrop (0.91), not heard for 14 months, though the artist was heard lately, as nothing "
                + "else was left")
        #expect(PickReason(mode: .new).sentence(seedTitle: nil) == "new in your library, never heard here")
    }

    /// Ten days of forty songs from one seed in a library of 5,000 songs by 400 artists.
    @Test("over ten days from one seed artists keep apart, most songs are new, and picks stay near")
    func simulation() {
        var random = PickGenerator(seed: 3)
        let catalogue = songs(5000) { entry, index in
            entry.artists = [UInt32(index % 400 + 1)]
            entry.genres = [UInt32(index % 400 % 12 + 1)]
            if Double.random(in: 0..<1, using: &random) < 0.3 {
                entry.genres.append(UInt32.random(in: 1...12, using: &random))
            }
            entry.year = Int16(1970 + index % 400 % 50)
        }
        var listening = Listening(count: 5000)
        var (seen, repeated, close, near) = (Set<Int>(), 0, 0, 0)
        for day in 0..<10 {
            var lineup = [0]
            let time = Self.now + Int64(day) * Self.day
            listening.hear(0, at: time)
            for _ in 0..<40 {
                var rules = PickRules()
                rules.repeatHours = 8
                var picker = Picker(
                    catalogue, listening, rules: rules, generator: PickGenerator(seed: random.next()))
                var request = PickRequest(mode: .similar, now: time)
                request.anchors = [id(0): 1]
                request.current = id(lineup[lineup.count - 1])
                request.lineup = lineup.map(id)
                guard let pick = picker.pick(1, request).picks.first else { continue }
                let slot = Int(pick.song.rawValue - 1)
                if lineup.suffix(6).contains(where: { catalogue.sharesArtist($0, slot) }) { close += 1 }
                if !seen.insert(slot).inserted { repeated += 1 }
                if catalogue.genres(at: slot).contains(1) { near += 1 }
                lineup.append(slot)
                listening.hear(slot, at: time)
            }
        }
        print(
            "artists too close: \(close), heard before: \(Double(repeated) / 400), different: \(seen.count), near: \(near)"
        )
        #expect(close == 0)
        #expect(Double(repeated) / 400 <= 0.45)
        #expect(seen.count >= 250)
        #expect(near >= 300)
    }
}
