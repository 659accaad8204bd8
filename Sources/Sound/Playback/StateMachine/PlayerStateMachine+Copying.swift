import MusicModel

/// Edits of large queues are made on a copy, off the event loop, and taken over if the machine is still as it was.
extension PlayerStateMachine {
    /// The basis of an edit. Time passes meanwhile, and what the engine tells of the song that plays.
    struct Basis: Hashable, Sendable {
        let version: UInt32
        let current: Int?
        let transport: SavedPlayer.State
        let play: UInt64?
        let prepared: EnginePlay?
        let lastNumber: UInt64
        /// But for the volume, which no edit reads.
        let options: PlaybackOptions
        let firstOfNextOrder: QueueEntryID?
    }

    var basis: Basis {
        var options = options
        options.volume = 0
        return Basis(
            version: queue.version, current: current, transport: transport, play: loaded?.number, prepared: prepared,
            lastNumber: plays.lastNumber, options: options, firstOfNextOrder: ordering.firstOfNext)
    }

    func copy() -> PlayerStateMachine {
        var copy = PlayerStateMachine(limit: queue.limit)
        copy.queue = queue
        copy.ordering = ordering.besideLoop
        copy.options = options
        copy.fixed = fixed
        copy.mixerVolume = mixerVolume
        copy.transport = transport
        copy.current = current
        copy.plays = plays
        copy.place = place
        copy.errors = errors
        copy.departed = departed
        copy.resumePoints = resumePoints
        return copy
    }

    mutating func adopt(_ edited: borrowing PlayerStateMachine) {
        let endsCurrent = edited.transport != transport || edited.loaded?.number != loaded?.number
        queue = edited.queue
        ordering.adopt(edited.ordering)
        current = edited.current
        let volume = options.volume
        options = edited.options
        options.volume = volume
        departed = edited.departed
        outcome.adopt(edited.outcome)
        plays.adopt(edited.plays, endsCurrent: endsCurrent)
        // Unless the edit ended the song, the engine knows better how far it is.
        guard endsCurrent else { return }
        transport = edited.transport
        place = edited.place
        errors = edited.errors
    }
}
