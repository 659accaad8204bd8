public import MusicModel
import ServerLoop

/// What commands read.
extension Player {
    /// Everything `status` says.
    public var status: PlayerStatus {
        let options = machine.options
        let isStopped = machine.transport == .stop
        let next = machine.nextID
        return PlayerStatus(
            state: machine.transport, volume: options.volume, isRepeating: options.isRepeating,
            isRandom: options.isRandom, single: options.single, consume: options.consume,
            queueVersion: machine.queue.version, queueLength: machine.queue.count,
            mixRampThreshold: options.mixRampThreshold, mixRampDelay: options.mixRampDelay,
            crossfade: options.crossfade, lastLoadedPlaylist: options.lastLoadedPlaylist,
            songPosition: machine.currentPosition, songID: machine.currentEntry?.id,
            nextPosition: next.flatMap { machine.queue.position(of: $0) }, nextID: next,
            elapsed: isStopped ? nil : elapsed, duration: isStopped ? nil : machine.duration,
            bitRate: machine.loaded?.bitRate, audioFormat: machine.loaded?.format, error: machine.error)
    }

    /// The entries in order; taking them is O(1) until the queue changes.
    public var entries: [QueueEntry] { machine.queue.entries }

    /// How many entries there are.
    public var count: Int { machine.queue.count }

    /// The current entry, also when stopped after playing; nil when there is none.
    public var current: (position: Int, entry: QueueEntry)? {
        machine.currentPosition.map { ($0, machine.queue.entries[$0]) }
    }

    /// The position of the entry with this id; O(1).
    public func position(of id: QueueEntryID) -> Int? { machine.queue.position(of: id) }

    /// The positions that changed since `version` was seen, ascending, as plchanges lists them: all of them when
    /// `version` is above the present one.
    public func changes(since version: UInt32) -> [Int] { machine.queue.changes(since: version) }

    /// How far into the song, by the engine's clock where it plays this song.
    var elapsed: Duration {
        guard let loaded = machine.loaded, !machine.isSeeking, let reading = engine.progress,
            reading.play == loaded.number
        else { return machine.position }
        return reading.elapsed
    }
}
