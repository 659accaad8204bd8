import MusicModel

/// Reports of the engine. Those about plays that are over are ignored.
extension PlayerStateMachine {
    /// Takes in one report.
    mutating func handle(_ event: AudioEngineEvent) {
        switch event {
        case .started(let play): started(play)
        case .info(let play, let format, let duration, let bitRate): learned(play, format, duration, bitRate)
        case .progress(let play, let elapsed, _): progressed(play, elapsed)
        case .finished(let play):
            guard loaded?.number == play else { return }
            endSong()
        case .failed(let play, let message): failed(play, message)
        case .seeked(let play, let target, let elapsed): seeked(play, target, elapsed)
        case .streamTags(let play, let tags): named(play, tags)
        case .interrupted(let play, let message): interrupted(play, message)
        case .buffering, .outputsChanged: break
        }
    }

    /// Whether a play is the current or the prepared one.
    func expects(_ number: UInt64) -> Bool { loaded?.number == number || prepared?.number == number }

    private mutating func started(_ number: UInt64) {
        if loaded?.number == number {
            guard loaded?.hasStarted == false else { return }
            loaded?.hasStarted = true
            changed(.player)
        } else if let play = prepared, play.number == number {
            joined(play)
        } else if withdrawn.contains(where: { $0.number == number }) {
            // The engine had gone on before it learned that something else comes next: put that right.
            endSong()
        }
    }

    /// The prepared song has joined on: it is the current one now.
    private mutating func joined(_ play: Play) {
        guard let current, let left = currentEntry?.id else { return }
        let isNewOrder = order.isRandom && successor(of: current) == .wrap
        failures = 0
        consume(left, unless: play.entry)
        if isNewOrder { reshuffle(first: play.entry) }
        self.current = index(of: play.entry)
        loaded = play
        loaded?.hasStarted = true
        forgetPrepared()
        position = .zero
        isSeeking = false
        isAtEnd = false
        changed(.player)
        resetPriorityOfCurrent()
        refreshNext()
    }

    private mutating func learned(_ number: UInt64, _ format: AudioFormat?, _ duration: Duration?, _ bitRate: Int?) {
        if prepared?.number == number {
            prepared?.learn(format, duration, bitRate)
        } else if var play = loaded, play.number == number {
            play.learn(format, duration, bitRate)
            if play.format != loaded?.format || play.duration != loaded?.duration { changed(.player) }
            loaded = play
        }
    }

    private mutating func progressed(_ number: UInt64, _ elapsed: Duration) {
        guard loaded?.number == number, !isSeeking else { return }
        position = elapsed
    }

    /// A seek is done; clients need to hear of it only if it led elsewhere than they were told.
    private mutating func seeked(_ number: UInt64, _ target: Duration, _ elapsed: Duration) {
        // The answer to an earlier seek may come when another one is under way already.
        guard loaded?.number == number, isSeeking, !isAtEnd, target == position else { return }
        isSeeking = false
        let difference = elapsed - position
        if difference > .milliseconds(500) || difference < .milliseconds(-500) { changed(.player) }
        position = elapsed
    }

    private mutating func failed(_ number: UInt64, _ message: String) {
        if prepared?.number == number {
            unpreparable = prepared?.entry
            prepared = nil
            return
        }
        guard loaded?.number == number else { return }
        error = described(message)
        isInterrupted = false
        changed(.player)
        failures += 1
        guard failures < queue.count else { return stop() }
        advance(paused: transport == .pause)
    }

    /// A stream named what it plays: these tags replace those of their kinds.
    private mutating func named(_ number: UInt64, _ tags: [TagValue]) {
        guard let play = [loaded, prepared].compactMap({ $0 }).first(where: { $0.number == number }) else { return }
        let before = queue.version
        let kinds = Set(tags.map(\.tag))
        _ = try? setStreamTags(id: play.entry) { known in
            known.removeAll { kinds.contains($0.tag) }
            known.append(contentsOf: tags)
        }
        if queue.version != before, play == loaded { changed(.player) }
    }
}

extension PlayerStateMachine.Play {
    fileprivate mutating func learn(_ format: AudioFormat?, _ duration: Duration?, _ bitRate: Int?) {
        self.format = format ?? self.format
        self.duration = duration ?? self.duration
        self.bitRate = bitRate ?? self.bitRate
    }
}
