import MusicModel

extension PlayerStateMachine {
    mutating func handle(_ event: AudioEngineEvent) {
        let wasBuffering = isBuffering
        defer { if isBuffering != wasBuffering, !outcome.changes.contains(.player) { changed(.buffering) } }
        switch event {
        case .started(let play): started(play)
        case .converted(let play): plays.noteConversion(of: play)
        case .info(let play, let format, let duration, let bitRate):
            if plays.learn(play, format, duration, bitRate) { changed(.player) }
        case .progress(let play, let elapsed, _):
            // A pause has one position, though what is on its way to the outputs may still be heard.
            if loaded?.number == play, transport != .pause { place.progressed(to: elapsed) }
        case .finished(let play):
            guard loaded?.number == play else { return }
            endSong()
        case .failed(let play, let message): failed(play, message)
        case .seeked(let play, let target, let elapsed):
            // Clients need to hear of it only if it led elsewhere than they were told.
            if loaded?.number == play, place.arrived(for: target, at: elapsed) { changed(.player) }
        case .streamTags(let play, let tags): named(play, tags)
        case .interrupted(let play, let message): interrupted(play, message)
        case .buffering(let play, let isWaiting): plays.awaitSound(of: play, isWaiting)
        case .outputsChanged: break
        }
    }

    private mutating func started(_ number: UInt64) {
        if loaded?.number == number {
            // Of a song whose format clients know they have been told everything.
            let isNews = isBeginning
            if plays.begin(), isNews { changed(.player) }
        } else if let play = prepared, play.number == number {
            joined(play)
        } else if plays.isWithdrawn(number) {
            // The engine had continued before it learned that something else comes next: put that right.
            endSong()
        }
    }

    private mutating func joined(_ play: EnginePlay) {
        guard let current, let left = currentEntry?.id else { return }
        let isNewOrder = ordering.order.isRandom && successor(of: current) == .wrap
        errors.succeeded()
        consume(left, unless: play.entry)
        if isNewOrder { reshuffle(first: play.entry) }
        self.current = index(of: play.entry)
        plays.join()
        place = SongPosition()
        changed(.player)
        resetPriorityOfCurrent()
        refreshNext()
    }

    private mutating func failed(_ number: UInt64, _ message: String) {
        if prepared?.number == number { return plays.failPrepared() }
        guard loaded?.number == number else { return }
        errors.failed(described(message))
        changed(.player)
        guard errors.failures < queue.count else { return stop() }
        advance(paused: transport == .pause)
    }

    private mutating func named(_ number: UInt64, _ tags: [TagValue]) {
        guard let play = plays.play(number) else { return }
        let before = queue.version
        let kinds = Set(tags.map(\.tag))
        _ = try? setStreamTags(id: play.entry) { known in
            known.removeAll { kinds.contains($0.tag) }
            known.append(contentsOf: tags)
        }
        if queue.version != before, play == loaded { changed(.player) }
    }
}
