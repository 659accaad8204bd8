package import MusicModel

extension MixMaker {
    /// How many songs heard at this time of day say what is wanted now.
    private static let maxHeardNow = 10
    private static let minHeardNow = 3

    /// The moods of the tags with enough songs, or else thirds of the library by how lively its songs were measured.
    func moods() -> [Mix?] {
        let tagged = mostFrequent(catalogue.moodNames) { catalogue.moods(at: $0) }
            .compactMap { mix("[Mood: \($0)]", of: $1) }
        if !tagged.isEmpty { return tagged }
        let known = allowed.compactMap { slot in space.traits(of: slot).energy.map { ($0, slot) } }
            .sorted(by: <).map(\.1)
        let third = known.count / 3
        return [
            mix("[Mood: Calm]", of: Array(known.prefix(third))),
            mix("[Mood: Steady]", of: Array(known.dropFirst(third).dropLast(third))),
            mix("[Mood: Energetic]", of: Array(known.suffix(third))),
        ]
    }

    func rightNow() -> Mix? {
        let heard = allowed.filter { facts.heardNow[$0] != nil }
            .sorted { (facts.heardNow[$0] ?? 0, $1) > (facts.heardNow[$1] ?? 0, $0) }
        guard heard.count >= Self.minHeardNow else { return nil }
        return mix(Self.rightNowName, of: allowed, near: Array(heard.prefix(Self.maxHeardNow)), seed: facts.partOfDay)
    }

    /// The songs that the auto-DJ would pick next after this one, to which the server finds the related ones alike.
    package func autoDJ(from song: SongID?, related: [SongID: Float] = [:], rules: PickRules) -> Mix? {
        var request = PickRequest(mode: song == nil ? .library : .similar, now: now)
        request.excluded = excluded
        request.related = related
        if let song {
            request.anchors = [song: 1]
            request.current = song
        }
        let number = song?.rawValue ?? 0
        var picker = Picker(
            catalogue, listening, space, rules: rules,
            generator: PickGenerator(seed: UInt64(bitPattern: number &* 1_000_003 &+ day)))
        let songs = picker.pick(Self.length, request).picks.map(\.song)
        return songs.count < Self.minSongs ? nil : Mix(name: Self.autoDJName, songs: songs)
    }

    static let rightNowName = "[Right now]"
    /// The name of the playlist that switches the auto-DJ on.
    package static let autoDJName = "[Auto DJ]"
}
