import Glibc
import MusicModel

/// Picks songs by their sound, by tags, and by what the listener did with them. Picks stay near the songs that the
/// listener chose, not near the last one: a chain of neighbours drifts away and turns in circles. Among the nearest 200
/// it draws by score and chance; some picks come from further away. Rules that leave nothing give way in the order of
/// `RelaxedRule`; what the listener dislikes never comes.
/// - Isolation: any; pure except for its random numbers.
package struct Picker {
    /// How many of the nearest songs a pick is drawn from.
    static let nearest = 200
    static let furthest = 1000
    /// How many songs before the place two recordings of a piece must be apart.
    static let samePieceGap = 40

    let catalogue: SongCatalogue
    let listening: Listening
    let space: SoundSpace
    let rules: PickRules
    var generator: PickGenerator

    /// Prepares to pick; `listening` belongs to the catalogue.
    package init(
        _ catalogue: SongCatalogue, _ listening: Listening, _ space: SoundSpace = SoundSpace(), rules: PickRules,
        generator: PickGenerator = PickGenerator()
    ) {
        (self.space, self.catalogue, self.listening, self.rules) = (space, catalogue, listening, rules)
        self.generator = generator
    }

    /// Picks songs, one after the other; while the server is away those that are here before rules give way.
    package mutating func pick(_ count: Int, _ request: PickRequest) -> PickResult {
        guard request.present != nil else { return pickAnywhere(count, request) }
        var result = pickAnywhere(count, request)
        for index in result.picks.indices { result.picks[index].reason.absence = .isHere }
        if result.picks.count >= count { return result }
        var rest = request
        rest.present = nil
        rest.lineup += result.picks.map(\.song)
        rest.unavailable.formUnion(result.picks.map(\.song))
        let others = pickAnywhere(count - result.picks.count, rest)
        if result.picks.isEmpty { (result.isOtherMode, result.unmet) = (others.isOtherMode, others.unmet) }
        result.allowed = others.allowed
        for var pick in others.picks {
            pick.reason.absence = .hasToBeFetched
            result.picks.append(pick)
        }
        return result
    }

    private mutating func pickAnywhere(_ count: Int, _ request: PickRequest) -> PickResult {
        var result = PickResult()
        var request = request
        let gate = PickGate(self, request)
        result.allowed = gate.allowed.count
        if gate.allowed.isEmpty { return result }
        if request.mode == .album || request.mode == .randomAlbums { return pickFromAlbums(count, request, gate) }
        var pool = ModePool(self, request, gate)
        if pool.slots.isEmpty {
            result.isOtherMode = true
            request.mode = .library
            pool = ModePool(self, request, gate)
        }
        if let wish = request.wish { (pool.slots, result.unmet) = wish.narrowed(pool.slots, catalogue, space) }
        // The anchors stay, so that what goes with them is worked out once.
        let lasting = Lasting(
            Affinity(catalogue, space, anchors: request.anchors, last: nil, related: request.related), pool.slots,
            catalogue)
        for _ in 0..<max(count, 0) {
            guard let pick = pickOne(request, pool, lasting) else { break }
            result.picks.append(pick)
            request.lineup.append(pick.song)
            request.unavailable.insert(pick.song)
        }
        return result
    }

    private mutating func pickOne(_ request: PickRequest, _ pool: ModePool, _ lasting: Lasting) -> Pick? {
        let place = PickPlace(self, request)
        let affinity = Affinity(
            catalogue, space, anchors: request.anchors, last: request.neighbour, related: request.related)
        let isExcursion = Double(generator.unit()) < rules.adventure && pool.isNear
        let levels = place.levels(of: pool.slots, catalogue, listening)
        for level in RelaxedRule.allCases {
            let limit = isExcursion ? Self.furthest : Self.nearest
            let near = nearest(limit, in: pool.slots, lasting, affinity) { levels[$0].map { $0 <= level } ?? false }
            if near.isEmpty { continue }
            let isFar = isExcursion && near.count > Self.nearest
            let candidates = isFar ? near[Self.nearest...] : near[...]
            let last = request.lineup.last.flatMap { catalogue.slot(of: $0) }.map { space.traits(of: $0) }
            let scored = candidates.map { candidate in
                let traits = space.traits(of: candidate.slot)
                let step = last.map { traits.step(behind: $0, isLevelled: request.isLevelled) } ?? 0
                let value = score(candidate.score, candidate.slot, request) - step
                return (candidate.slot, value + 0.4 * generator.gumbel())
            }
            guard let slot = scored.max(by: { $0.1 < $1.1 })?.0 else { continue }
            var reason = self.reason(slot, request, affinity)
            reason.isExcursion = isFar
            reason.relaxed = place.levels(of: [slot], catalogue, listening)[0] ?? .noRule
            return Pick(song: catalogue.ids[slot], reason: reason)
        }
        return nil
    }

    /// The part of how well songs go with a place that is the same for all places, in the order of the pool.
    struct Lasting {
        let anchored: [Float]?
        let bonuses: [Float]?

        init(_ affinity: Affinity, _ slots: [Int], _ catalogue: SongCatalogue) {
            anchored = affinity.anchored(slots, catalogue)
            bonuses = affinity.bonuses(slots)
        }
    }

    /// The songs that go best with the place, best first; of those at these places in the list.
    mutating func nearest(
        _ limit: Int, in slots: [Int], _ lasting: Lasting, _ affinity: Affinity, where allows: (_ position: Int) -> Bool
    ) -> [(score: Float, slot: Int)] {
        // Fields of `self` are slow to reach while it changes.
        let catalogue = catalogue
        var (best, generator) = (BestList(limit), generator)
        affinity.withView(catalogue) { view in
            for position in slots.indices where allows(position) {
                // Songs with the same tags are in no order.
                let noise = 0.02 * generator.unit()
                let (anchored, bonus) = (lasting.anchored?[position], lasting.bonuses?[position] ?? 0)
                // Most are too far from the anchors, whatever the song before the place is.
                if affinity.maximum(anchored: anchored) + bonus + noise < best.minValue { continue }
                best.offer(slots[position], view.value(slots[position], anchored: anchored) + bonus + noise)
            }
        }
        self.generator = generator
        return best.sorted
    }

    private func score(_ affinity: Float, _ slot: Int, _ request: PickRequest) -> Float {
        let weight: Float = request.mode == .similar || request.mode == .genre ? 3 : 0.5
        return weight * affinity + 0.8 * freshness(slot, request.now) + (listening.liked.contains(slot) ? 0.5 : 0)
            - skipRate(slot, request.now)
    }

    /// From 0 for what was heard just now to 1 for what was never heard.
    func freshness(_ slot: Int, _ now: Int64) -> Float {
        guard let days = days(since: listening.lastHeard[slot], now) else { return 1 }
        return 1 - expf(-Float(days) / 30)
    }

    /// From 0 to 1; a skip counts half after a month.
    private func skipRate(_ slot: Int, _ now: Int64) -> Float {
        guard listening.skips[slot] > 0, let days = days(since: listening.lastSkipped[slot], now) else { return 0 }
        return min(1, Float(min(listening.skips[slot], 4)) / 2 * exp2f(-Float(days) / 30))
    }

    func reason(_ slot: Int, _ request: PickRequest, _ affinity: Affinity) -> PickReason {
        var reason = PickReason(mode: request.mode)
        reason.isLiked = listening.liked.contains(slot)
        reason.daysUnheard = days(since: listening.lastHeard[slot], request.now).map { Int(clamping: $0) }
        guard let seed = affinity.nearestAnchor(slot, catalogue) else { return reason }
        reason.seed = catalogue.ids[seed]
        reason.likeness = affinity.likeness(slot, to: seed).map { Double($0) }.flatMap { $0 >= 0.3 ? $0 : nil }
        reason.isServersChoice = affinity.isRelated(slot)
        reason.sharesArtist = catalogue.sharesArtist(seed, slot)
        reason.genre = affinity.sharedGenre(seed, slot, catalogue).flatMap { catalogue.genreNames[$0] }
        return reason
    }

    func days(since time: Int64, _ now: Int64) -> Int64? {
        time <= 0 ? nil : max(0, now.subtractingClamped(time)) / 86_400
    }
}
