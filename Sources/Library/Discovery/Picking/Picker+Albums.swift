import MusicModel

extension Picker {
    /// Goes on with the album that plays, then with another one near the anchors. The rules on hours and artists hold
    /// for where an album begins, and a wish is met by the song there.
    mutating func pickFromAlbums(_ count: Int, _ request: PickRequest, _ gate: PickGate) -> PickResult {
        var result = PickResult()
        result.allowed = gate.allowed.count
        var request = request
        var starts = albumStarts(gate.allowed)
        var wanted: Set<Int>?
        if let wish = request.wish {
            (starts, result.unmet) = wish.narrowed(starts, catalogue, space)
            wanted = Set(starts)
        }
        while result.picks.count < count {
            let slot = following(request, gate.isAllowed, wanted) ?? albumStart(among: starts, request)
            guard let slot else { break }
            let affinity = Affinity(catalogue, space, anchors: request.anchors, last: nil)
            let pick = Pick(song: catalogue.ids[slot], reason: reason(slot, request, affinity))
            result.picks.append(pick)
            request.lineup.append(pick.song)
            request.unavailable.insert(pick.song)
        }
        return result
    }

    /// The song behind the last one on its album, where the album begins at one of those that are wanted.
    private func following(_ request: PickRequest, _ isAllowed: [Bool], _ wanted: Set<Int>?) -> Int? {
        guard let last = request.lineup.last.flatMap({ catalogue.slot(of: $0) }), catalogue.albums[last] != 0
        else { return nil }
        let next = last + 1
        guard next < catalogue.count, catalogue.albums[next] == catalogue.albums[last], isAllowed[next],
            !request.unavailable.contains(catalogue.ids[next]), catalogue.ids[next] != request.current
        else { return nil }
        if let wanted {
            var start = last
            while start > 0, catalogue.albums[start - 1] == catalogue.albums[last] { start -= 1 }
            guard wanted.contains(start) else { return nil }
        }
        return next
    }

    private func albumStarts(_ allowed: [Int]) -> [Int] {
        allowed.filter { slot in
            let album = catalogue.albums[slot]
            guard album != 0, slot + 1 < catalogue.count, catalogue.albums[slot + 1] == album else { return false }
            return slot == 0 || catalogue.albums[slot - 1] != album
        }
    }

    private mutating func albumStart(among starts: [Int], _ request: PickRequest) -> Int? {
        let place = PickPlace(self, request)
        let affinity = Affinity(catalogue, space, anchors: request.anchors, last: nil)
        let levels = place.levels(of: starts, catalogue, listening)
        let nearness = affinity.values(starts, catalogue)
        for level in RelaxedRule.allCases {
            var scored: [(Int, Float)] = []
            for (index, slot) in starts.enumerated() where levels[index].map({ $0 <= level }) ?? false {
                let score =
                    request.mode == .randomAlbums
                    ? standing(ofAlbumAt: slot, request.now) + generator.gumbel()
                    : 2 * nearness[index] + 0.4 * generator.gumbel()
                scored.append((slot, score))
            }
            if let slot = scored.max(by: { $0.1 < $1.1 })?.0 { return slot }
        }
        return nil
    }

    /// The logarithm of an album's share in the draw: one that was never heard, with a star and five stars on each
    /// song, comes seven times as soon as one without both that was heard just now.
    private func standing(ofAlbumAt start: Int, _ now: Int64) -> Float {
        var (songs, fresh, liking): (Float, Float, Float) = (0, 0, 0)
        for slot in start..<catalogue.count where songs < 1000 {
            guard catalogue.albums[slot] == catalogue.albums[start] else { break }
            songs += 1
            fresh += freshness(slot, now)
            let rating = Float((listening.ratings[slot] ?? 5).clamped(to: 0...10))
            liking += (rating - 5) / 5 + (listening.liked.contains(slot) ? 1 : 0)
        }
        return songs == 0 ? 0 : fresh / songs + 0.5 * liking / songs
    }
}
