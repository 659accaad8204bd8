import MusicModel

/// A player without its effects: commands and engine events go in, effects for the engine come out.
///
/// A value without clocks, tasks or engine, so that every rule of MPD's queue can be tested by tables. It can't be
/// copied, since it has one owner, and `status` is asked for too often to copy all of this. The names `current` and
/// `prepared` stand for MPD's `current` and `queued`.
///
/// - Source: MPD v0.24.13 src/queue/{Playlist,PlaylistControl,PlaylistEdit}.cxx, src/player/Thread.cxx.
struct PlayerStateMachine: ~Copyable, Sendable {
    /// The effects on the engine, in order.
    enum Effect: Hashable, Sendable {
        /// Play a track in place of everything else.
        case start(EngineTrack, at: Duration, paused: Bool)
        /// Set what joins on to the current track.
        case prepareNext(EngineTrack?)
        /// Move within the current track.
        case seek(Duration)
        /// Pause or go on.
        case setPaused(Bool)
        /// Fall silent.
        case stop

        /// Whether music is to be heard from now on.
        var wantsSound: Bool {
            switch self {
            case .start(_, _, let isPaused), .setPaused(let isPaused): !isPaused
            default: false
            }
        }
    }

    /// One entry's way through the engine.
    struct Play: Hashable, Sendable {
        /// The number that the engine's events carry.
        let number: UInt64
        /// The entry that plays.
        let entry: QueueEntryID
        /// The song of the library that is played; nil for a stream.
        let song: SongID?
        /// Whether it has been heard.
        var hasStarted = false
        /// The decoded format.
        var format: AudioFormat?
        /// The true duration, where the engine found one.
        var duration: Duration?
        /// The bit rate in kbit/s.
        var bitRate: Int?
    }

    /// The successor of an entry in the order.
    enum Successor: Hashable {
        /// Nothing: playback ends.
        case end
        /// The same entry again.
        case same
        /// The entry at this index.
        case index(Int)
        /// The order starts again, anew when it is random.
        case wrap
    }

    /// The entries.
    var queue: Queue
    /// The order in which they are played.
    var order = PlayOrder()
    /// The options that clients have set.
    var options = PlaybackOptions()
    /// The options that clients can't change.
    var fixed = FixedOptions()
    /// The volume that clients see where outputs have mixers of their own; nil where it is that of the options.
    var mixerVolume: Int?
    /// Whether it plays, pauses or is stopped.
    var transport = SavedPlayer.State.stop
    /// The current entry's index in the order.
    var current: Int?
    /// The play that the engine plays or loads; nil when stopped, and after a restart until a client plays.
    var loaded: Play?
    /// The play that joins on to it.
    var prepared: Play?
    /// Plays that were prepared and then replaced, which the engine may nevertheless have begun by then.
    var withdrawn: [Play] = []
    /// An entry that couldn't be prepared; it is tried once more when its turn comes.
    var unpreparable: QueueEntryID?
    /// The entry that a new random order will start with, once the present one is played through.
    var firstOfNextOrder: QueueEntryID?
    /// How many plays in a row have failed.
    var failures = 0
    /// The last error.
    var error: String?
    /// Whether `error` is about a stream that is tried again.
    var isInterrupted = false
    /// The place in the song that was last asked for or reported.
    var position = Duration.zero
    /// Whether a seek is under way, so that `position` is right and the engine's reading isn't yet.
    var isSeeking = false
    /// Whether a paused song was moved beyond its end, so that going on goes on with the next.
    var isAtEnd = false
    /// Entries whose songs have left the library and may return, in the queue's order.
    var departed: [DepartedEntry] = []
    /// Where songs start when they don't start at their beginning.
    var resumePoints = ResumePoints()
    /// Draws random orders.
    var generator: OrderGenerator
    /// Whether this is a copy beside the event loop, where work may take long.
    var isBesideLoop = false
    /// Whether the random order of a huge queue is still the former one, and a new one is to be made beside the loop.
    var awaitsNewOrder = false

    /// Effects on the engine, and changes for clients; handed over by `takeEffects` and `takeChanges`.
    var effects: [Effect] = []
    var changes: Subsystem = []
    /// The number of the last play.
    var lastNumber: UInt64 = 0

    /// Makes a machine with an empty queue.
    init(limit: Int = Queue.standardLimit, seed: UInt64? = nil) {
        queue = Queue(limit: limit)
        generator = OrderGenerator(seed: seed)
    }

    // Results.

    /// Hands over what must be done to the engine since the last call.
    mutating func takeEffects() -> [Effect] {
        defer { effects.removeAll() }
        return effects
    }

    /// Hands over what changed for clients since the last call.
    mutating func takeChanges() -> Subsystem {
        defer { changes = [] }
        return changes
    }

    // State.

    /// The current entry's position in the queue.
    var currentPosition: Int? { current.map { order.position(at: $0) } }

    var currentEntry: QueueEntry? { currentPosition.map { queue[$0] } }

    /// The entry that is played after the current one; nil when playback ends with it.
    var nextID: QueueEntryID? {
        guard let current else { return nil }
        return id(of: successor(of: current))
    }

    /// How long the current song lasts, if known.
    var duration: Duration? {
        let known = loaded?.duration ?? currentEntry?.playingTime
        return known.flatMap { $0 > .zero ? $0 : nil }
    }

    /// The entries that follow, nearest first, at most `limit`.
    func following(_ limit: Int) -> [QueueEntry] {
        guard let current else { return [] }
        let next = successor(of: current)
        guard case .index(let first) = next else {
            let again = next == .wrap && !order.isRandom ? Array(0..<min(limit, current)) : []
            return again.isEmpty
                ? id(of: next).flatMap { entry($0) }.map { [$0] } ?? [] : again.map { queue[$0] }
        }
        let later = Array(first..<min(first + limit, queue.count))
        let wrapped = options.isRepeating && !order.isRandom ? Array(0..<min(limit - later.count, current)) : []
        return (later + wrapped).map { queue[order.position(at: $0)] }
    }

    /// The successor of an index.
    ///
    /// - Source: MPD v0.24.13 `Queue::GetNextOrder`.
    func successor(of index: Int, ignoringSingle: Bool = false) -> Successor {
        if !ignoringSingle, options.single != .off, options.isRepeating, options.consume == .off { return .same }
        if index + 1 < queue.count { return .index(index + 1) }
        if options.isRepeating, index > 0 || options.consume == .off { return .wrap }
        return .end
    }

    func entry(_ id: QueueEntryID) -> QueueEntry? { queue.position(of: id).map { queue[$0] } }

    /// The index in the order of the entry with this id.
    func index(of id: QueueEntryID) -> Int? { queue.position(of: id).map { order.index(of: $0) } }

    private func id(of successor: Successor) -> QueueEntryID? {
        switch successor {
        case .end: nil
        case .same: currentEntry?.id
        case .index(let index): queue.id(at: order.position(at: index))
        case .wrap:
            firstOfNextOrder.flatMap { entry($0)?.id } ?? queue.id(at: order.position(at: 0))
        }
    }

    // Steps that several commands share.

    /// Notes an effect.
    mutating func emit(_ effect: Effect) { effects.append(effect) }

    /// Notes a change.
    mutating func changed(_ subsystem: Subsystem) { changes.formUnion(subsystem) }

    /// Forgets an error, as MPD does when a client plays.
    mutating func forgetError() {
        failures = 0
        guard error != nil else { return }
        error = nil
        changed(.player)
    }

    /// Plays the entry at an index from a place in it; nil is where it was left, or its beginning.
    mutating func start(_ index: Int, at wanted: Duration? = nil, paused: Bool = false) {
        current = index
        transport = paused ? .pause : .play
        forgetPrepared()
        let place = wanted ?? currentEntry.flatMap { resumePoint(of: $0) } ?? .zero
        position = place
        isSeeking = false
        isAtEnd = false
        forgetInterruption()
        changed(.player)
        guard let entry = currentEntry else { return }
        let play = makePlay(entry)
        loaded = play
        emit(.start(track(play, entry), at: place, paused: paused))
    }

    /// Resets the priority of an entry that begins to play.
    mutating func resetPriorityOfCurrent() {
        guard let position = currentPosition else { return }
        if queue.setPriority(0, at: position..<position + 1) { changed(.queue) }
    }

    /// Silences the engine; the current entry stays current.
    mutating func halt() {
        if loaded != nil { emit(.stop) }
        loaded = nil
        forgetPrepared()
        transport = .stop
        position = .zero
        isSeeking = false
        isAtEnd = false
        forgetInterruption()
        changed(.player)
    }

    /// Pauses because nothing could be heard, and says so: what can't be heard is not played.
    ///
    /// - Source: MPD v0.24.13 src/player/Thread.cxx `OpenOutput`, src/output/MultipleOutputs.cxx.
    mutating func pauseWithoutOutput(_ message: String) {
        guard transport == .play else { return }
        transport = .pause
        error = message
        changed(.player)
        if loaded != nil { emit(.setPaused(true)) }
    }

    /// Makes a new random order in which `first`, where given, comes first; the current entry stays current.
    ///
    /// That of a huge queue takes too long for the event loop: there the former order begins again, and what follows
    /// the current entry is shuffled beside the loop.
    mutating func reshuffle(first: QueueEntryID? = nil) {
        awaitsNewOrder = !isBesideLoop && queue.count >= Player.hugeQueue
        keepingCurrent { machine in
            if machine.awaitsNewOrder {
                machine.order.beginRandom(machine.queue.count)
            } else {
                machine.order.shuffle(
                    machine.queue.count, priorities: machine.queue.priorities, using: &machine.generator)
            }
            if let first, let index = machine.index(of: first) { machine.order.move(index, to: 0) }
        }
        firstOfNextOrder = nil
    }

    /// Shuffles what follows the current entry of a random order, or all of it when stopped: the part of a new order
    /// that was put off.
    mutating func renewOrder() {
        awaitsNewOrder = false
        guard order.isRandom else { return }
        let played = transport == .stop ? 0 : current.map { $0 + 1 } ?? 0
        let next = nextID
        keepingCurrent { machine in
            machine.order.shuffle(
                machine.queue.count, after: played, priorities: machine.queue.priorities, using: &machine.generator)
        }
        refreshNext()
        if nextID != next { changed(.player) }
    }

    /// Edits queue or order and points `current` at the same entry again.
    mutating func keepingCurrent(_ edit: (inout PlayerStateMachine) -> Void) {
        let id = currentEntry?.id
        edit(&self)
        current = id.flatMap { index(of: $0) }
    }

    /// Brings what is prepared in line with what follows now. Every command and event ends with it.
    mutating func refreshNext() {
        chooseFirstOfNextOrder()
        let next = loaded == nil || options.pausesBetweenSongs ? nil : nextID
        // A song that doesn't start at its beginning can't join on.
        let isStarted =
            !resumePoints.places.isEmpty && next.flatMap { entry($0) }.flatMap { resumePoint(of: $0) } != nil
        let wanted = next == unpreparable || isStarted ? nil : next
        guard wanted != prepared?.entry else { return }
        if let prepared { withdrawn.append(prepared) }
        prepared = nil
        if let wanted, let entry = entry(wanted) {
            let play = makePlay(entry)
            prepared = play
            emit(.prepareNext(track(play, entry)))
        } else {
            emit(.prepareNext(nil))
        }
    }

    /// Draws the first entry of the next random order early, so that it can be named and prepared.
    ///
    /// MPD shuffles early instead and keeps the current entry's place in the new order, so that its `nextsong` is not
    /// what plays next.
    private mutating func chooseFirstOfNextOrder() {
        guard order.isRandom, let current, successor(of: current) == .wrap else {
            firstOfNextOrder = nil
            return
        }
        if let firstOfNextOrder, entry(firstOfNextOrder) != nil { return }
        firstOfNextOrder = drawFirstOfNextOrder()
    }

    /// Draws one of the entries with the highest priority, another than the current one if there is another.
    mutating func drawFirstOfNextOrder() -> QueueEntryID? {
        let skipped = currentPosition
        if !queue.hasPriorities, queue.count > 1 {
            let drawn = Int.random(in: 0..<queue.count - (skipped == nil ? 0 : 1), using: &generator)
            return queue.id(at: skipped.map { drawn < $0 ? drawn : drawn + 1 } ?? drawn)
        }
        var highest = -1
        var candidates: [Int] = []
        for position in 0..<queue.count where position != skipped {
            let priority = queue.priority(at: position)
            if priority > highest {
                highest = priority
                candidates.removeAll(keepingCapacity: true)
            }
            if priority == highest { candidates.append(position) }
        }
        return candidates.randomElement(using: &generator).map { queue.id(at: $0) } ?? currentEntry?.id
    }

    /// Forgets what was prepared, which a new start replaces in the engine as well.
    mutating func forgetPrepared() {
        prepared = nil
        withdrawn = []
        unpreparable = nil
    }

    /// Where an entry starts; nil is its beginning. A song that is played again right away starts there in any case.
    private func resumePoint(of entry: QueueEntry) -> Duration? {
        guard let song = entry.songID, song != loaded?.song else { return nil }
        return resumePoints.place(of: entry)
    }

    private mutating func makePlay(_ entry: QueueEntry) -> Play {
        lastNumber += 1
        return Play(number: lastNumber, entry: entry.id, song: entry.songID)
    }

    private func track(_ play: Play, _ entry: QueueEntry) -> EngineTrack {
        let source: EngineTrack.Source =
            switch entry.item {
            case .song(let song): .song(song)
            case .stream(let url, _): entry.item.outsideFile.map { .file(path: $0) } ?? .stream(url: url)
            }
        return EngineTrack(
            play: play.number, source: source, range: entry.range, duration: entry.playingTime,
            replayGain: entry.replayGain)
    }
}
