import MusicModel

/// The songs that rules allow at all, whatever plays.
struct PickGate {
    let allowed: [Int]

    init(_ picker: Picker, _ request: PickRequest) {
        let (catalogue, listening, rules) = (picker.catalogue, picker.listening, picker.rules)
        let longest = rules.longestSong.map { Int32(clamping: $0.components.seconds) } ?? .max
        allowed = (0..<catalogue.count).filter { slot in
            if let present = request.present, !present.contains(catalogue.ids[slot]) { return false }
            if catalogue.seconds[slot] >= longest || listening.disliked.contains(slot) { return false }
            if let rating = listening.ratings[slot], rating <= rules.lowestRating { return false }
            return request.excluded.isEmpty || !request.excluded.contains(catalogue.ids[slot])
        }
    }
}

/// The songs that the place in the queue forbids.
struct PickPlace {
    private let unavailable: Set<Int>
    private let current: Int?
    private let recentArtists: Set<UInt32>
    private let recentPieces: [UInt32: [Int]]
    private let heardAfter: Int64

    init(_ picker: Picker, _ request: PickRequest) {
        let catalogue = picker.catalogue
        unavailable = Set(request.unavailable.compactMap { catalogue.slot(of: $0) })
        current = request.current.flatMap { catalogue.slot(of: $0) }
        let lineup = request.lineup.suffix(max(picker.rules.artistGap, Picker.samePieceGap)).compactMap {
            catalogue.slot(of: $0)
        }
        recentArtists = Set(lineup.suffix(max(picker.rules.artistGap, 0)).flatMap { catalogue.artists(at: $0) })
        recentPieces = Dictionary(
            grouping: lineup.suffix(Picker.samePieceGap).filter { catalogue.titles[$0] != 0 }
        ) { catalogue.titles[$0] }
        heardAfter = request.now.subtractingClamped(Int64(clamping: picker.rules.repeatHours) * 3600)
    }

    /// Whether a song may come here once the rules up to `level` gave way.
    func allows(_ slot: Int, at level: RelaxedRule, _ picker: Picker) -> Bool {
        self.level(of: slot, picker).map { $0 <= level } ?? false
    }

    /// Which rule has to give way for a song; nil for one that waits already, for which none does.
    func level(of slot: Int, _ picker: Picker) -> RelaxedRule? {
        if unavailable.contains(slot) { return nil }
        if slot == current { return .anything }
        let catalogue = picker.catalogue
        let pieces = recentPieces[catalogue.titles[slot]] ?? []
        if pieces.contains(where: { catalogue.isSamePiece($0, slot) }) { return .anything }
        if catalogue.artists(at: slot).contains(where: { recentArtists.contains($0) }) { return .artistGap }
        if picker.rules.repeatHours > 0, picker.listening.lastHeard[slot] > heardAfter { return .repeatHours }
        return .noRule
    }
}
