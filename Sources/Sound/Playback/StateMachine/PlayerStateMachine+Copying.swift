import MusicModel

/// Edits of large queues are made on a copy, beside the event loop, and taken over if the machine is still as it was.
extension PlayerStateMachine {
    /// The basis of an edit. Time goes on meanwhile, and what the engine tells of the song that plays.
    struct Basis: Hashable, Sendable {
        let version: UInt32
        let current: Int?
        let transport: SavedPlayer.State
        let play: UInt64?
        let prepared: Play?
        let lastNumber: UInt64
        /// But for the volume, which no edit looks at.
        let options: PlaybackOptions
        let firstOfNextOrder: QueueEntryID?
    }

    /// The basis of an edit that is made now.
    var basis: Basis {
        var options = options
        options.volume = 0
        return Basis(
            version: queue.version, current: current, transport: transport, play: loaded?.number, prepared: prepared,
            lastNumber: lastNumber, options: options, firstOfNextOrder: firstOfNextOrder)
    }

    /// A machine that is the same, but for what is still to be handed over.
    func copy() -> PlayerStateMachine {
        var copy = PlayerStateMachine(limit: queue.limit)
        copy.queue = queue
        copy.order = order
        copy.options = options
        copy.fixed = fixed
        copy.mixerVolume = mixerVolume
        copy.transport = transport
        copy.current = current
        copy.loaded = loaded
        copy.prepared = prepared
        copy.withdrawn = withdrawn
        copy.unpreparable = unpreparable
        copy.firstOfNextOrder = firstOfNextOrder
        copy.failures = failures
        copy.error = error
        copy.isInterrupted = isInterrupted
        copy.position = position
        copy.isSeeking = isSeeking
        copy.isAtEnd = isAtEnd
        copy.resumePoints = resumePoints
        copy.generator = generator
        copy.lastNumber = lastNumber
        copy.awaitsNewOrder = awaitsNewOrder
        copy.departed = departed
        copy.isBesideLoop = true
        return copy
    }

    /// Takes over what an edit did to a copy; `basis` is what it was when the copy was made.
    mutating func adopt(_ edited: borrowing PlayerStateMachine) {
        queue = edited.queue
        order = edited.order
        current = edited.current
        let volume = options.volume
        options = edited.options
        options.volume = volume
        generator = edited.generator
        awaitsNewOrder = edited.awaitsNewOrder
        departed = edited.departed
        prepared = edited.prepared
        withdrawn = edited.withdrawn
        unpreparable = edited.unpreparable
        firstOfNextOrder = edited.firstOfNextOrder
        lastNumber = edited.lastNumber
        effects += edited.effects
        changes.formUnion(edited.changes)
        // Unless the edit ended the song, the engine knows better how far it is.
        guard edited.transport != transport || edited.loaded?.number != loaded?.number else { return }
        transport = edited.transport
        loaded = edited.loaded
        failures = edited.failures
        error = edited.error
        isInterrupted = edited.isInterrupted
        position = edited.position
        isSeeking = edited.isSeeking
        isAtEnd = edited.isAtEnd
    }
}
