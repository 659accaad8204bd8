import MusicModel

struct PickGate {
    let allowed: [Int]
    let isAllowed: [Bool]

    init(_ picker: Picker, _ request: PickRequest) {
        let (catalogue, listening, rules) = (picker.catalogue, picker.listening, picker.rules)
        let longest = rules.maxSong.map { Int32(clamping: $0.components.seconds) } ?? .max
        // The songs that are out are fewer than those that are not, and hashed; the others are not.
        var isAllowed = [Bool](repeating: request.present == nil, count: catalogue.count)
        for song in request.present ?? [] { if let slot = catalogue.slot(of: song) { isAllowed[slot] = true } }
        for slot in listening.disliked where isAllowed.indices.contains(slot) { isAllowed[slot] = false }
        for (slot, rating) in listening.ratings where rating <= rules.lowestRating {
            if isAllowed.indices.contains(slot) { isAllowed[slot] = false }
        }
        for song in request.excluded { if let slot = catalogue.slot(of: song) { isAllowed[slot] = false } }
        for slot in isAllowed.indices where catalogue.seconds[slot] >= longest { isAllowed[slot] = false }
        allowed = isAllowed.indices.filter { isAllowed[$0] }
        self.isAllowed = isAllowed
    }
}

struct PickPlace {
    private let isUnavailable: [Bool]
    private let current: Int?
    private let recentArtists: NumberTable
    private let recentPieces: [UInt32: [Int]]
    /// A bit for the last ten bits of each of their titles, as most songs have another one.
    private let recentTitles: [UInt64]
    /// Nil where songs may come again at any time.
    private let heardAfter: Int64?

    init(_ picker: Picker, _ request: PickRequest) {
        let catalogue = picker.catalogue
        var isUnavailable = [Bool](repeating: false, count: catalogue.count)
        for song in request.unavailable { if let slot = catalogue.slot(of: song) { isUnavailable[slot] = true } }
        self.isUnavailable = isUnavailable
        current = request.current.flatMap { catalogue.slot(of: $0) }
        let lineup = request.lineup.suffix(max(picker.rules.artistGap, Picker.samePieceGap)).compactMap {
            catalogue.slot(of: $0)
        }
        recentArtists = NumberTable(lineup.suffix(max(picker.rules.artistGap, 0)).flatMap { catalogue.artists(at: $0) })
        recentPieces = Dictionary(
            grouping: lineup.suffix(Picker.samePieceGap).filter { catalogue.titles[$0] != 0 }
        ) { catalogue.titles[$0] }
        var titles = [UInt64](repeating: 0, count: 16)
        for title in recentPieces.keys { titles[Self.word(title)] |= Self.bit(title) }
        recentTitles = titles
        let seconds = Int64(clamping: picker.rules.repeatHours).multipliedClamped(by: 3600)
        heardAfter = seconds > 0 ? request.now.subtractingClamped(seconds) : nil
    }

    private static func word(_ title: UInt32) -> Int { Int(title >> 6) & 15 }
    private static func bit(_ title: UInt32) -> UInt64 { 1 << UInt64(title & 63) }

    /// Which rule has to give way for each of these songs; nil for one that waits already, for which none does.
    func levels(of slots: [Int], _ catalogue: SongCatalogue, _ listening: Listening) -> [RelaxedRule?] {
        catalogue.artists.withView { artists in slots.map { level(of: $0, catalogue, artists, listening) } }
    }

    @inline(__always)
    private func level(
        of slot: Int, _ catalogue: SongCatalogue, _ artists: RaggedColumn.View, _ listening: Listening
    ) -> RelaxedRule? {
        if isUnavailable[slot] { return nil }
        if slot == current { return .anything }
        let title = catalogue.titles[slot]
        if recentTitles[Self.word(title)] & Self.bit(title) != 0,
            recentPieces[title]?.contains(where: { catalogue.isSamePiece($0, slot) }) ?? false
        {
            return .anything
        }
        if recentArtists.contains(anyOf: artists, slot) { return .artistGap }
        if let heardAfter, listening.lastHeard[slot] > heardAfter { return .repeatHours }
        return .noRule
    }
}
