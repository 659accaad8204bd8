import MusicModel

struct ModePool {
    /// How many songs count as new at least.
    private static let newest = 200
    /// How long a song counts as new, in seconds: three months.
    private static let newFor: Int64 = 90 * 86_400
    /// For how long a forgotten song was not heard, in seconds: half a year.
    static let forgottenAfter: Int64 = 182 * 86_400
    /// The number of plays from which on a song was heard often.
    static let oftenHeard: Int32 = 5
    /// The number of plays of its songs from which on an artist is one that the listener hears.
    private static let artistPlays = 10

    var slots: [Int]
    /// True if nearness to the anchors matters, so that there is something further away.
    let isNear: Bool

    init(_ picker: Picker, _ request: PickRequest, _ gate: PickGate) {
        let (catalogue, listening) = (picker.catalogue, picker.listening)
        isNear = request.mode == .similar && !request.anchors.isEmpty
        switch request.mode {
        case .similar, .library, .album, .randomAlbums: slots = gate.allowed
        case .genre:
            let anchors = request.anchors.keys.compactMap { catalogue.slot(of: $0) }
            let genres = Set(anchors.flatMap { catalogue.genres(at: $0) })
            slots = gate.allowed.filter { catalogue.genres(at: $0).contains { genres.contains($0) } }
        case .mood: slots = Self.sameMood(picker, request, gate.allowed)
        case .favourites: slots = gate.allowed.filter { listening.liked.contains($0) }
        case .forgotten: slots = gate.allowed.filter { Self.isForgotten($0, listening, request.now) }
        case .deepCuts:
            let known = Self.knownArtists(catalogue, listening)
            slots = gate.allowed.filter { Self.isDeepCut($0, catalogue, listening, known) }
        case .new: slots = Self.new(gate.allowed, catalogue, request.now)
        }
    }

    private static let moodWidth: Float = 0.12

    /// The songs that have a mood in common with the anchors, or else are about as lively as these on average.
    private static func sameMood(_ picker: Picker, _ request: PickRequest, _ allowed: [Int]) -> [Int] {
        let (catalogue, space) = (picker.catalogue, picker.space)
        let anchors = request.anchors.keys.compactMap { catalogue.slot(of: $0) }
        let moods = Set(anchors.flatMap { catalogue.moods(at: $0) })
        let tagged = moods.isEmpty ? [] : allowed.filter { catalogue.moods(at: $0).contains { moods.contains($0) } }
        if !tagged.isEmpty { return tagged }
        let energies = anchors.compactMap { space.traits(of: $0).energy }
        guard !energies.isEmpty else { return [] }
        let mean = energies.reduce(0, +) / Float(energies.count)
        return allowed.filter { slot in space.traits(of: slot).energy.map { abs($0 - mean) <= moodWidth } ?? false }
    }

    /// True if a song was liked or often heard, but not for half a year.
    static func isForgotten(_ slot: Int, _ listening: Listening, _ now: Int64) -> Bool {
        let last = listening.lastHeard[slot]
        let wasDear = listening.liked.contains(slot) || listening.plays[slot] >= oftenHeard
        return wasDear && last > 0 && last < now.subtractingClamped(forgottenAfter)
    }

    static func knownArtists(_ catalogue: SongCatalogue, _ listening: Listening) -> Set<UInt32> {
        var plays: [UInt32: Int] = [:]
        for slot in 0..<catalogue.count {
            let weight = listening.liked.contains(slot) ? artistPlays : Int(listening.plays[slot])
            guard weight > 0 else { continue }
            for artist in catalogue.artists(at: slot) { plays[artist, default: 0] += weight }
        }
        return Set(plays.lazy.filter { $0.value >= artistPlays }.map(\.key))
    }

    static func isDeepCut(
        _ slot: Int, _ catalogue: SongCatalogue, _ listening: Listening, _ known: Set<UInt32>
    ) -> Bool {
        listening.plays[slot] <= 1 && !listening.liked.contains(slot)
            && catalogue.artists(at: slot).contains { known.contains($0) }
    }

    /// The songs of the last three months, or else the newest ones.
    static func new(_ allowed: [Int], _ catalogue: SongCatalogue, _ now: Int64) -> [Int] {
        let latest = allowed.lazy.map { catalogue.added[$0] }.filter { $0 > 0 }.sorted(by: >)
        guard let oldest = latest.prefix(newest).last else { return [] }
        let since = min(oldest, now.subtractingClamped(newFor))
        return allowed.filter { catalogue.added[$0] > 0 && catalogue.added[$0] >= since }
    }
}
