import MusicModel

/// One entry's way through the engine.
struct EnginePlay: Hashable, Sendable {
    let number: UInt64
    let entry: QueueEntryID
    let song: SongID?
    fileprivate(set) var startsPaused = false
    fileprivate(set) var hasStarted = false
    fileprivate(set) var isConverted = false
    private(set) var format: AudioFormat?
    private(set) var duration: Duration?
    /// The bit rate in kbit/s.
    private(set) var bitRate: Int?

    init(number: UInt64, entry: QueueEntryID, song: SongID?) {
        (self.number, self.entry, self.song) = (number, entry, song)
    }

    fileprivate mutating func learn(_ format: AudioFormat?, _ duration: Duration?, _ bitRate: Int?) {
        self.format = format ?? self.format
        self.duration = duration ?? self.duration
        self.bitRate = bitRate ?? self.bitRate
    }
}

struct EnginePlays: Hashable, Sendable {
    /// The play that the engine plays or loads; nil when stopped, and after a restart until a client plays.
    private(set) var loaded: EnginePlay?
    private(set) var prepared: EnginePlay?
    /// Plays that were prepared and then replaced, which the engine may nevertheless have begun by then.
    private var withdrawn: [EnginePlay] = []
    private(set) var unpreparable: QueueEntryID?
    private(set) var lastNumber: UInt64 = 0
    private var awaited: UInt64?

    var isAwaited: Bool { awaited.map { expects($0) } ?? false }

    mutating func load(_ entry: QueueEntry, paused: Bool = false) -> EnginePlay {
        forgetPrepared()
        var play = makePlay(entry)
        play.startsPaused = paused
        loaded = play
        return play
    }

    mutating func unload() {
        loaded = nil
        forgetPrepared()
    }

    /// An entry joins on, or none, in place of what was prepared before; gives its play.
    mutating func prepare(_ entry: QueueEntry?) -> EnginePlay? {
        withdrawPrepared()
        prepared = entry.map { makePlay($0) }
        return prepared
    }

    /// An entry has changed: its prepared play is out of date, and so is the failure to prepare it.
    mutating func prepareAnew(_ entry: QueueEntryID) {
        if prepared?.entry == entry { withdrawPrepared() }
        if unpreparable == entry { unpreparable = nil }
    }

    /// Forgets what was prepared, which a new start replaces in the engine as well.
    mutating func forgetPrepared() { (prepared, withdrawn, unpreparable) = (nil, [], nil) }

    private mutating func withdrawPrepared() {
        if let prepared { withdrawn.append(prepared) }
        prepared = nil
    }

    private mutating func makePlay(_ entry: QueueEntry) -> EnginePlay {
        lastNumber += 1
        return EnginePlay(number: lastNumber, entry: entry.id, song: entry.songID)
    }

    func expects(_ number: UInt64) -> Bool { loaded?.number == number || prepared?.number == number }
    func play(_ number: UInt64) -> EnginePlay? { [loaded, prepared].compactMap(\.self).first { $0.number == number } }
    /// True if the engine may have begun a play that something else has replaced.
    func isWithdrawn(_ number: UInt64) -> Bool { withdrawn.contains { $0.number == number } }

    /// The current play is heard; true if it wasn't before.
    mutating func begin() -> Bool {
        guard loaded?.hasStarted == false else { return false }
        loaded?.hasStarted = true
        return true
    }

    mutating func join() {
        loaded = prepared
        loaded?.hasStarted = true
        forgetPrepared()
    }

    mutating func awaitSound(of number: UInt64, _ isWaiting: Bool) {
        if isWaiting { awaited = number } else if awaited == number { awaited = nil }
    }

    mutating func failPrepared() { (unpreparable, prepared) = (prepared?.entry, nil) }

    mutating func noteConversion(of number: UInt64) {
        if loaded?.number == number { loaded?.isConverted = true }
        if prepared?.number == number { prepared?.isConverted = true }
    }

    mutating func learn(_ number: UInt64, _ format: AudioFormat?, _ duration: Duration?, _ bitRate: Int?) -> Bool {
        if prepared?.number == number {
            prepared?.learn(format, duration, bitRate)
            return false
        }
        guard let before = loaded, before.number == number else { return false }
        loaded?.learn(format, duration, bitRate)
        return before.format != loaded?.format || before.duration != loaded?.duration
    }

    /// Takes over what an edit made of a copy; the engine knows the current play better, unless the edit ended it.
    mutating func adopt(_ edited: EnginePlays, endsCurrent: Bool) {
        let (loaded, awaited) = (loaded, awaited)
        self = edited
        if !endsCurrent { (self.loaded, self.awaited) = (loaded, awaited) }
    }
}
