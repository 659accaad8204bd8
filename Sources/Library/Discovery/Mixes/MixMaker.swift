import Glibc
package import MusicModel

/// Makes playlists of a library and of what its listener did: the same ones for the same day.
package struct MixMaker {
    static let length = 50
    /// A playlist with fewer songs isn't worth a line in a client's list.
    static let minSongs = 20
    /// Songs between two of one artist, where that is possible.
    static let artistGap = 4
    static let maxGroups = 8

    let catalogue: SongCatalogue
    let listening: Listening
    let space: SoundSpace
    let now: Int64
    var facts: MixFacts
    let allowed: [Int]
    let day: Int64
    let excluded: Set<SongID>

    /// Prepares to make playlists of all songs but the excluded ones, at a `day` and a `now` in Unix seconds.
    package init(
        _ catalogue: SongCatalogue, _ listening: Listening, _ space: SoundSpace = SoundSpace(), rules: PickRules,
        excluded: Set<SongID>, facts: MixFacts = MixFacts(), day: Int64, now: Int64
    ) {
        (self.facts, self.catalogue, self.listening, self.space) = (facts, catalogue, listening, space)
        (self.day, self.now, self.excluded) = (day, now, excluded)
        var request = PickRequest(mode: .library, now: now)
        request.excluded = excluded
        allowed = PickGate(Picker(catalogue, listening, rules: rules), request).allowed
    }

    /// The day's playlists of these groups that have enough songs.
    package func day(_ groups: Set<MixGroup>) -> [Mix] {
        var mixes: [Mix?] = []
        if groups.contains(.daily) { mixes += dailyMixes() + [discoverWeekly()] }
        if groups.contains(.memories) {
            let known = ModePool.knownArtists(catalogue, listening)
            mixes += [
                mix("[Forgotten favourites]", of: allowed.filter { ModePool.isForgotten($0, listening, now) }),
                mix(
                    "[Deep cuts]",
                    of: allowed.filter { ModePool.isDeepCut($0, catalogue, listening, known) }),
            ]
        }
        if groups.contains(.new) {
            mixes += [
                mix("[New arrivals]", of: ModePool.new(allowed, catalogue, now)),
                mix("[Never played]", of: allowed.filter { listening.plays[$0] == 0 && listening.lastHeard[$0] == 0 }),
            ]
        }
        if groups.contains(.genre) {
            mixes += mostFrequent(catalogue.genreNames) { catalogue.genres(at: $0) }.map { mix("[Mix: \($0)]", of: $1) }
        }
        if groups.contains(.mood) { mixes += moods() }
        if groups.contains(.now) { mixes.append(rightNow()) }
        if groups.contains(.decade) { mixes += decades().map { mix("[Decade: \($0)s]", of: $1) } }
        return mixes.compactMap { $0 }
    }

    private func dailyMixes() -> [Mix?] {
        var weights: [UInt32: Float] = [:]
        for slot in allowed where fondness(slot) > 0 {
            for genre in catalogue.genres(at: slot) {
                weights[genre, default: 0] += fondness(slot) * (catalogue.genreWeights[genre] ?? 0)
            }
        }
        let genres = weights.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(3).map(\.key)
        return genres.enumerated().map { index, genre in
            let favourites = allowed.filter { fondness($0) > 0 && catalogue.genres(at: $0).contains(genre) }
                .sorted { (fondness($0), $1) > (fondness($1), $0) }.prefix(5)
            return mix("[Daily mix \(index + 1)]", of: allowed, near: Array(favourites))
        }
    }

    /// Unheard songs near what the listener hears most; another one each Monday.
    private func discoverWeekly() -> Mix? {
        let favourites = allowed.filter { fondness($0) > 0 }.sorted { (fondness($0), $1) > (fondness($1), $0) }.prefix(
            10)
        if favourites.isEmpty { return nil }
        // 1 January 1970 was a Thursday.
        let week = (day + 3) / 7
        return mix(
            "[Discover weekly]", of: allowed.filter { listening.plays[$0] == 0 }, near: Array(favourites), seed: week)
    }

    private func fondness(_ slot: Int) -> Float {
        (listening.liked.contains(slot) ? 3 : 0) + log2f(1 + Float(max(listening.plays[slot], 0)))
    }

    func mostFrequent(
        _ names: [UInt32: String], _ values: (Int) -> ArraySlice<UInt32>
    ) -> [(name: String, slots: [Int])] {
        var songs: [UInt32: [Int]] = [:]
        for slot in allowed { for value in values(slot) { songs[value, default: []].append(slot) } }
        return songs.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }.prefix(Self.maxGroups)
            .compactMap { value, slots in names[value].map { (Self.plain($0), slots) } }
            .filter { !$0.name.isEmpty }
    }

    private static func plain(_ text: String) -> String {
        String(text.prefix(utf8: 180).prefix(60).map { String($0).hasSlash || $0.isNewline ? "-" : $0 })
    }

    private func decades() -> [(decade: Int, slots: [Int])] {
        Dictionary(grouping: allowed.filter { catalogue.years[$0] > 0 }) { Int(catalogue.years[$0]) / 10 * 10 }
            .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func mix(_ name: String, of pool: [Int], near seeds: [Int] = [], seed: Int64? = nil, length: Int = length) -> Mix? {
        let anchors = Dictionary(uniqueKeysWithValues: Set(seeds).map { (catalogue.ids[$0], Float(1)) })
        if anchors.isEmpty || pool.count < Self.minSongs { return mix(name, of: pool, nil, seed: seed, length: length) }
        let affinity = Affinity(catalogue, space, anchors: anchors, last: nil)
        return mix(name, of: pool, affinity.values(pool, catalogue), seed: seed, length: length)
    }

    func mix(_ name: String, of pool: [Int], _ nearness: [Float]?, seed: Int64? = nil, length: Int = length) -> Mix? {
        guard pool.count >= Self.minSongs else { return nil }
        var generator = PickGenerator(seed: Self.hash(name, seed ?? day))
        var best = BestList(length * 8)
        let lastHeard = listening.lastHeard
        for index in pool.indices {
            let slot = pool[index]
            let near = nearness.map { 6 * $0[index] } ?? 0
            let fresh = lastHeard[slot] <= 0 || lastHeard[slot] < now - 7 * 86_400
            let (value, unit) = (near + (fresh ? 0.4 : 0), generator.unit())
            if value + 0.5 * PickGenerator.maxGumbel(unit) < best.minValue { continue }
            best.offer(slot, value + 0.5 * PickGenerator.gumbel(unit))
        }
        let songs = spread(best.sorted.map(\.slot), length).map { catalogue.ids[$0] }
        return songs.count >= Self.minSongs ? Mix(name: name, songs: songs) : nil
    }

    /// The first songs of a list, so that one artist's are apart and no piece comes twice.
    func spread(_ candidates: [Int], _ count: Int) -> [Int] {
        var (rest, result) = (candidates, [Int]())
        while result.count < count, !rest.isEmpty {
            let recent = result.suffix(Self.artistGap)
            let index = rest.firstIndex { slot in !recent.contains { catalogue.sharesArtist($0, slot) } } ?? 0
            let slot = rest.remove(at: index)
            if !result.contains(where: { catalogue.isSamePiece($0, slot) }) { result.append(slot) }
        }
        return result
    }

    static func hash(_ name: String, _ day: Int64) -> UInt64 {
        name.utf8.reduce(14_695_981_039_346_656_037 ^ UInt64(bitPattern: day)) {
            ($0 ^ UInt64($1)) &* 1_099_511_628_211
        }
    }
}
