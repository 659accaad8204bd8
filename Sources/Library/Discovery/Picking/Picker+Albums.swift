import MusicModel

/// Picking whole albums.
extension Picker {
    /// Goes on with the album that plays, then with another one near the anchors.
    ///
    /// The rules on hours and artists hold for where an album begins.
    mutating func pickFromAlbums(_ count: Int, _ request: PickRequest, _ gate: PickGate) -> PickResult {
        var result = PickResult()
        result.allowed = gate.allowed.count
        var request = request
        let allowed = Set(gate.allowed)
        let starts = albumStarts(gate.allowed)
        while result.picks.count < count {
            let slot = following(request, allowed) ?? albumStart(among: starts, request)
            guard let slot else { break }
            let affinity = Affinity(catalogue, space, anchors: request.anchors, last: nil)
            let pick = Pick(song: catalogue.ids[slot], reason: reason(slot, request, affinity))
            result.picks.append(pick)
            request.lineup.append(pick.song)
            request.unavailable.insert(pick.song)
        }
        return result
    }

    /// The song behind the last one on its album.
    private func following(_ request: PickRequest, _ allowed: Set<Int>) -> Int? {
        guard let last = request.lineup.last.flatMap({ catalogue.slot(of: $0) }), !catalogue.albums[last].isNone else {
            return nil
        }
        let next = last + 1
        guard next < catalogue.count, catalogue.albums[next] == catalogue.albums[last], allowed.contains(next),
            !request.unavailable.contains(catalogue.ids[next]), catalogue.ids[next] != request.current
        else { return nil }
        return next
    }

    /// The first songs of albums with several songs.
    private func albumStarts(_ allowed: [Int]) -> [Int] {
        allowed.filter { slot in
            let album = catalogue.albums[slot]
            guard !album.isNone, slot + 1 < catalogue.count, catalogue.albums[slot + 1] == album else { return false }
            return slot == 0 || catalogue.albums[slot - 1] != album
        }
    }

    private mutating func albumStart(among starts: [Int], _ request: PickRequest) -> Int? {
        let place = PickPlace(self, request)
        let affinity = Affinity(catalogue, space, anchors: request.anchors, last: nil)
        for level in RelaxedRule.allCases {
            let scored = starts.filter { place.allows($0, at: level, self) }.map {
                ($0, 2 * affinity.value($0, catalogue) + 0.4 * generator.gumbel())
            }
            if let slot = scored.max(by: { $0.1 < $1.1 })?.0 { return slot }
        }
        return nil
    }
}
