import MusicModel

extension PlayerStateMachine {
    /// Takes over a saved queue and player; a paused song isn't loaded before a client continues with it. Songs for
    /// which `lookUp` gives nil have left the library: their entries come back with them. If the current one is among
    /// them, playback stops and none is current.
    /// - Returns: how many entries were left out because their URLs and tags take too much memory.
    mutating func restore(
        _ saved: SavedQueue, _ player: SavedPlayer, resume: ResumePolicy, lookUp: (SongID) -> QueueCandidate?
    ) -> Int {
        var found = saved.entries.map { ($0, Self.candidate($0, lookUp)) }
        let excess = removeExcess(of: &found)
        let kept = found.compactMap { entry, song in song.map { (entry: entry, song: $0) } }
        queue.restore(kept, version: saved.version)
        noteDeparture(in: found, current: player.position)
        if kept.count != found.count { queue.touchAll() }
        options = player.options.inRange
        ordering.order = PlayOrder()
        plays.unload()
        let foundPlace = player.position.flatMap { place in
            found.indices.contains(place) && found[place].1 != nil ? found[..<place].count { $0.1 != nil } : nil
        }
        current = foundPlace.flatMap { $0 < queue.count ? $0 : nil }
        if options.isRandom { reshuffle(first: currentEntry?.id) }
        restoreTransport(player, resume)
        changed([.queue, .player, .options, .mixer])
        refreshNext()
        return excess
    }

    private func removeExcess(of found: inout [(SavedQueue.Entry, QueueCandidate?)]) -> Int {
        var (room, excess) = (queue.sizeLimit, 0)
        for index in found.indices {
            guard let size = found[index].1?.extraSize, size > 0 else { continue }
            if size <= room {
                room -= size
            } else {
                found[index].1 = nil
                excess += 1
            }
        }
        return excess
    }

    private mutating func noteDeparture(in found: [(SavedQueue.Entry, QueueCandidate?)], current: Int?) {
        departed = []
        var kept = 0
        for (position, (entry, song)) in found.enumerated() {
            if song != nil {
                kept += 1
                continue
            }
            guard case .song(let id) = entry.item, kept <= queue.count, departed.count < queue.limit else { continue }
            departed.append(
                DepartedEntry(
                    song: id, range: entry.range, sheetTags: entry.sheetTags, priority: entry.priority,
                    predecessor: kept > 0 ? queue[kept - 1].id : nil, position: position,
                    wasCurrent: position == current))
        }
    }

    private mutating func restoreTransport(_ player: SavedPlayer, _ resume: ResumePolicy) {
        transport = .stop
        place = SongPosition()
        guard let current, player.state != .stop, resume != .stop else { return }
        transport = .pause
        stand(at: player.elapsed)
        guard resume == .play, player.state == .play else { return }
        if place.isAtEnd { goOnAfterEnd() } else { start(current, at: place.position) }
    }

    private static func candidate(_ entry: SavedQueue.Entry, _ lookUp: (SongID) -> QueueCandidate?) -> QueueCandidate? {
        guard case .song(let song) = entry.item else { return QueueCandidate(entry.item, range: entry.range) }
        var candidate = lookUp(song)
        candidate?.range = entry.range
        candidate?.sheetTags = entry.sheetTags
        return candidate
    }
}
