import MusicModel

/// Play, pause, stop, next, previous and seek.
/// - Source: MPD v0.24.13 src/queue/PlaylistControl.cxx.
extension PlayerStateMachine {
    mutating func play(position: Int?) throws(PlayerError) {
        forgetError()
        guard let position else { return playCurrent() }
        guard (0..<queue.count).contains(position) else { throw PlayerError(.badRange) }
        start(moveToCurrent(ordering.order.index(of: position)))
        resetPriorityOfCurrent()
        refreshNext()
    }

    mutating func play(id: QueueEntryID?) throws(PlayerError) {
        guard let id else { return try play(position: nil) }
        try play(position: requirePosition(of: id))
    }

    mutating func pause(_ isPaused: Bool?) {
        switch (transport, isPaused ?? (transport == .play)) {
        case (.play, true):
            transport = .pause
            changed(.player)
            if loaded != nil { emit(.setPaused(true)) }
        case (.pause, false): resume()
        default: break
        }
    }

    mutating func stop() {
        guard transport != .stop else { return }
        halt()
        if ordering.order.isRandom { reshuffle() }
        refreshNext()
    }

    mutating func next() throws(PlayerError) {
        guard transport != .stop else { throw PlayerError(.notPlaying) }
        forgetError()
        advance(ignoringSingle: true)
    }

    mutating func previous() throws(PlayerError) {
        guard transport != .stop, let current else { throw PlayerError(.notPlaying) }
        forgetError()
        let before = current > 0 ? current - 1 : options.isRepeating ? queue.count - 1 : current
        start(before)
        resetPriorityOfCurrent()
        refreshNext()
    }

    mutating func seek(position: Int, to time: Duration) throws(PlayerError) {
        guard (0..<queue.count).contains(position) else { throw PlayerError(.badRange) }
        try seek(index: ordering.order.index(of: position), to: max(time, .zero))
    }

    mutating func seek(id: QueueEntryID, to time: Duration) throws(PlayerError) {
        try seek(position: requirePosition(of: id), to: time)
    }

    mutating func seekCurrent(to time: Duration) throws(PlayerError) {
        guard transport != .stop, let current else { throw PlayerError(.notPlaying) }
        try seek(index: current, to: max(time, .zero))
    }

    mutating func cue(id: QueueEntryID, at time: Duration) throws(PlayerError) {
        let target = try requirePosition(of: id)
        guard transport != .play else { return }
        halt()
        forgetError()
        current = ordering.order.index(of: target)
        if ordering.order.isRandom { reshuffle(first: id) }
        current = index(of: id)
        transport = .pause
        stand(at: time)
        changed(.player)
        refreshNext()
    }

    mutating func clearError() { if errors.clear() { changed(.player) } }
    mutating func setError(_ text: String) { if errors.note(text) { changed(.player) } }

    func requirePosition(of id: QueueEntryID) throws(PlayerError) -> Int {
        guard let position = queue.position(of: id) else { throw PlayerError(.noSuchSong) }
        return position
    }

    /// Ends the current song as if it had been heard to its end: on to the next, in pause if `single` is set.
    mutating func endSong() {
        errors.succeeded()
        let pauses = options.pausesBetweenSongs && nextID != nil
        advance(paused: pauses || transport == .pause)
        if pauses, options.single == .oneshot {
            options.single = .off
            changed(.options)
            refreshNext()
        }
    }

    /// Leaves the current song for the next, or stops and has no current song; consumes the one that is left.
    mutating func advance(ignoringSingle: Bool = false, paused: Bool = false) {
        guard let current, let left = currentEntry?.id else { return }
        let successor = successor(of: current, ignoringSingle: ignoringSingle)
        let next: QueueEntryID?
        switch successor {
        case .end: next = nil
        case .same: next = left
        case .index(let index): next = queue.id(at: ordering.order.position(at: index))
        case .wrap where ordering.order.isRandom: next = ordering.firstOfNext ?? drawFirstOfNextOrder()
        case .wrap: next = queue.id(at: ordering.order.position(at: 0))
        }
        consume(left, unless: next)
        if successor == .wrap, ordering.order.isRandom { reshuffle(first: next) }
        if let next, let index = index(of: next) {
            start(index, paused: paused)
            resetPriorityOfCurrent()
        } else {
            halt()
            if ordering.order.isRandom { reshuffle() }
            self.current = nil
        }
        refreshNext()
    }

    /// Removes an entry that has been played if `consume` is set, and ends a oneshot.
    mutating func consume(_ left: QueueEntryID, unless next: QueueEntryID?) {
        guard options.consume != .off else { return }
        if left != next, let position = queue.position(of: left) { removeEntries(RangeSet(position..<position + 1)) }
        guard options.consume == .oneshot else { return }
        options.consume = .off
        changed(.options)
    }

    private mutating func playCurrent() {
        guard queue.count > 0 else { return }
        switch transport {
        case .play: break
        case .pause: resume()
        case .stop:
            start(moveToCurrent(current ?? 0))
            resetPriorityOfCurrent()
            refreshNext()
        }
    }

    private mutating func resume() {
        if place.isAtEnd { return goOnAfterEnd() }
        transport = .play
        changed(.player)
        if loaded != nil {
            emit(.setPaused(false))
        } else if let current {
            start(current, at: place.position)
            refreshNext()
        }
    }

    /// Takes a position for that of the paused current song, which is not loaded; at its end continuing means the next.
    mutating func stand(at time: Duration) {
        place = SongPosition(max(time, .zero))
        if let length = currentEntry?.playingTime, length > .zero, time >= length { place.passEnd(length) }
    }

    mutating func goOnAfterEnd() {
        transport = .play
        endSong()
    }

    /// Brings an entry next to the current one in a random order, so that none between them is passed over.
    private mutating func moveToCurrent(_ index: Int) -> Int {
        guard ordering.order.isRandom else { return index }
        let target: Int
        if transport != .stop, let current {
            target = index > current ? current + 1 : current
        } else if let current {
            target = index < current ? current - 1 : current
        } else {
            target = 0
        }
        ordering.order.move(index, to: target)
        return target
    }

    private mutating func seek(index: Int, to time: Duration) throws(PlayerError) {
        if time > .zero, transport != .stop, index == current, isStation { throw PlayerError(.notSeekable) }
        forgetError()
        if transport == .stop || index != current {
            change(to: index, at: time)
        } else if let duration, time >= duration {
            passEnd(duration)
        } else {
            place.seek(to: time, inEngine: loaded != nil)
            changed(.player)
            if loaded != nil { emit(.seek(time)) }
        }
        refreshNext()
    }

    private var isStation: Bool {
        guard case .stream? = currentEntry?.item, currentEntry?.item.outsideFile == nil else { return false }
        return loaded?.format != nil && duration == nil
    }

    private mutating func change(to index: Int, at time: Duration) {
        let isPaused = transport == .pause
        let target = moveToCurrent(index)
        let length = queue[ordering.order.position(at: target)].playingTime ?? .zero
        guard length > .zero, time >= length else { return start(target, at: time, paused: isPaused) }
        halt()
        current = target
        transport = isPaused ? .pause : .play
        passEnd(length)
    }

    /// Moves beyond the end: on to the next song, as soon as the player isn't paused.
    private mutating func passEnd(_ end: Duration) {
        guard transport == .pause else { return endSong() }
        place.passEnd(end)
        changed(.player)
    }
}
