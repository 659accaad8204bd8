package import MusicModel
import ServerLoop

extension Player {
    /// Everything `status` says.
    package var status: PlayerStatus {
        machine.status(elapsed: machine.transport == .stop ? nil : elapsed, sleepsIn: sleepsIn)
    }

    /// The entries in order; taking them is O(1) until the queue changes.
    package var entries: QueueEntries { machine.queue.entries }
    /// True while music plays, without the rest of `status`.
    package var isPlaying: Bool { machine.transport == .play }
    /// True if the current entry is heard already, and does not wait for its first sound.
    package var hasBegun: Bool { machine.loaded?.hasStarted ?? false }
    /// True if a song was started whose format is to be known in a moment.
    package var isBeginning: Bool { machine.isBeginning }
    /// How many entries there are.
    package var count: Int { machine.queue.count }
    /// How many entries there can be.
    package var queueLimit: Int { machine.queue.limit }
    /// The current entry, also when stopped after playing; nil when there is none.
    package var current: (position: Int, entry: QueueEntry)? { machine.currentPosition.map { ($0, machine.queue[$0]) } }

    /// The current song and what follows it, up to a number, or the first ones when none is current; no streams.
    package func upcoming(_ limit: Int) -> [SongID] {
        guard let current = machine.currentEntry
        else { return machine.queue.entries.prefix(limit).compactMap(\.songID) }
        return ([current] + machine.following(limit - 1)).compactMap(\.songID)
    }

    /// How many entries follow the current one as they play, at most `limit`; all follow where nothing is current.
    package func following(_ limit: Int) -> Int {
        machine.currentEntry == nil ? min(machine.queue.count, limit) : machine.following(limit).count
    }

    /// The position of the entry with this id; O(1).
    package func position(of id: QueueEntryID) -> Int? { machine.queue.position(of: id) }

    /// The positions that changed since `version` was seen, ascending, as plchanges lists them: all of them when
    /// `version` is above the present one.
    package func changes(since version: UInt32) -> [Int] { machine.queue.changes(since: version) }

    /// The same for a window of the queue, off the event loop where the queue is long.
    /// - Isolation: ServerActor; the queue is read as it is when this is called.
    package func changes(since version: UInt32, in window: Range<Int>) async -> [Int] {
        let (entries, present) = (entries, machine.queue.version)
        guard window.count >= Self.manyEntries
        else { return entries.changes(since: version, in: window, version: present) }
        return await Self.changes(of: entries, since: version, in: window, version: present)
    }

    @concurrent
    private nonisolated static func changes(
        of entries: QueueEntries, since seen: UInt32, in window: Range<Int>, version: UInt32
    ) async -> [Int] {
        entries.changes(since: seen, in: window, version: version)
    }

    var elapsed: Duration {
        machine.transport == .pause ? machine.place.position : elapsedInEngine ?? machine.place.position
    }

    /// How far into the song the engine is; nil where it is elsewhere.
    var elapsedInEngine: Duration? {
        guard let loaded = machine.loaded, !machine.place.isSeeking, let reading = engine.progress,
            reading.play == loaded.number
        else { return nil }
        return reading.elapsed
    }
}

extension PlayerStateMachine {
    /// Everything `status` says; `elapsed` is nil when stopped. Of the machine and not of the player, because each
    /// access to a class's property is checked for exclusivity, and clients ask for nothing as often as for this.
    fileprivate func status(elapsed: Duration?, sleepsIn: Duration?) -> PlayerStatus {
        let next = nextID
        return PlayerStatus(
            state: transport, volume: mixerVolume ?? options.volume, isRepeating: options.isRepeating,
            isRandom: options.isRandom, single: options.single, consume: options.consume, queueVersion: queue.version,
            queueLength: queue.count, mixRampThreshold: options.mixRampThreshold, mixRampDelay: options.mixRampDelay,
            crossfade: options.crossfade, speed: options.speed, sleepsIn: sleepsIn,
            lastLoadedPlaylist: options.lastLoadedPlaylist, songPosition: currentPosition,
            songID: currentPosition.map { queue.id(at: $0) }, nextPosition: next.flatMap { queue.position(of: $0) },
            nextID: next, elapsed: elapsed, duration: elapsed == nil ? nil : duration,
            isConverted: loaded?.isConverted ?? false, bitRate: loaded?.bitRate, audioFormat: loaded?.format,
            isBuffering: isBuffering, error: error)
    }
}
