import MusicModel

/// A player without its effects: commands and engine events go in, orders for the engine come out. A value without
/// clocks, tasks or engine, so that every rule of MPD's queue can be tested by tables. Its owner changes it by `step`,
/// which gives all that follows in one piece. It can't be copied, since it has one owner, and `status` is asked for too
/// often to copy all of this. The names `current` and `prepared` stand for MPD's `current` and `queued`.
/// - Source: MPD v0.24.13 src/queue/{Playlist,PlaylistControl,PlaylistEdit}.cxx, src/player/Thread.cxx.
package struct PlayerStateMachine: ~Copyable, Sendable {
    enum Successor: Hashable {
        case end
        case same
        case index(Int)
        /// The order starts again, a new one when it is random.
        case wrap
    }

    var queue: Queue
    var ordering: Ordering
    var options = PlaybackOptions()
    var fixed = FixedOptions()
    /// The volume that clients see where outputs have mixers of their own; nil where it is that of the options.
    var mixerVolume: Int?
    var transport = SavedPlayer.State.stop
    var current: Int?
    var plays = EnginePlays()
    var place = SongPosition()
    var errors = PlayErrors()
    /// Entries whose songs have left the library and may return, in the queue's order.
    var departed: [DepartedEntry] = []
    var resumePoints = ResumePoints()
    /// The consequences of commands since the last step, for the engine and for clients.
    var outcome = Outcome()

    init(limit: Int = Queue.standardLimit, seed: UInt64? = nil) {
        queue = Queue(limit: limit)
        ordering = Ordering(seed: seed)
    }

    var loaded: EnginePlay? { plays.loaded }
    var prepared: EnginePlay? { plays.prepared }
    var error: String? { errors.error }

    var isBuffering: Bool {
        guard transport == .play, let loaded else { return false }
        return !loaded.hasStarted || place.isSeeking || plays.isAwaited
    }

    /// True if a song was started of which the engine has told nothing yet.
    var isBeginning: Bool {
        guard let loaded, transport == (loaded.startsPaused ? .pause : .play) else { return false }
        return !loaded.hasStarted && loaded.format == nil
    }

    var currentPosition: Int? { current.map { ordering.order.position(at: $0) } }
    var currentEntry: QueueEntry? { currentPosition.map { queue[$0] } }

    var nextID: QueueEntryID? {
        guard let current else { return nil }
        return id(of: successor(of: current))
    }

    var duration: Duration? {
        let known = loaded?.duration ?? currentEntry?.playingTime
        return known.flatMap { $0 > .zero ? $0 : nil }
    }

    func following(_ limit: Int) -> [QueueEntry] {
        guard let current else { return [] }
        let next = successor(of: current)
        guard case .index(let first) = next else {
            let again = next == .wrap && !ordering.order.isRandom ? Array(0..<min(limit, current)) : []
            return again.isEmpty ? id(of: next).flatMap { entry($0) }.map { [$0] } ?? [] : again.map { queue[$0] }
        }
        let later = Array(first..<min(first + limit, queue.count))
        let wraps = options.isRepeating && !ordering.order.isRandom
        let wrapped = wraps ? Array(0..<min(limit - later.count, current)) : []
        return (later + wrapped).map { queue[ordering.order.position(at: $0)] }
    }

    /// The successor of an index.
    /// - Source: MPD v0.24.13 `Queue::GetNextOrder`.
    func successor(of index: Int, ignoringSingle: Bool = false) -> Successor {
        if !ignoringSingle, options.single != .off, options.isRepeating, options.consume == .off { return .same }
        if index + 1 < queue.count { return .index(index + 1) }
        if options.isRepeating, index > 0 || options.consume == .off { return .wrap }
        return .end
    }

    func entry(_ id: QueueEntryID) -> QueueEntry? { queue.position(of: id).map { queue[$0] } }
    func index(of id: QueueEntryID) -> Int? { queue.position(of: id).map { ordering.order.index(of: $0) } }

    private func id(of successor: Successor) -> QueueEntryID? {
        switch successor {
        case .end: nil
        case .same: currentEntry?.id
        case .index(let index): queue.id(at: ordering.order.position(at: index))
        case .wrap: ordering.firstOfNext.flatMap { entry($0)?.id } ?? queue.id(at: ordering.order.position(at: 0))
        }
    }

    mutating func emit(_ order: EngineOrder) { outcome.orders.append(order) }
    mutating func changed(_ subsystem: Subsystem) { outcome.changes.formUnion(subsystem) }
    mutating func forgetError() { if errors.forget() { changed(.player) } }

    /// Plays the entry at an index from a position in it; nil is where it was left, or its beginning.
    mutating func start(_ index: Int, at wanted: Duration? = nil, paused: Bool = false) {
        current = index
        transport = paused ? .pause : .play
        plays.forgetPrepared()
        place = SongPosition(wanted ?? currentEntry.flatMap { resumePoint(of: $0) } ?? .zero)
        errors.endInterruption()
        changed(.player)
        guard let entry = currentEntry else { return }
        let play = plays.load(entry, paused: paused)
        emit(.start(track(play, entry), at: place.position, paused: paused))
    }

    mutating func resetPriorityOfCurrent() {
        guard let position = currentPosition else { return }
        if queue.setPriority(0, at: position..<position + 1) { changed(.queue) }
    }

    /// Silences the engine; the current entry stays current.
    mutating func halt() {
        if loaded != nil { emit(.stop) }
        plays.unload()
        transport = .stop
        place = SongPosition()
        errors.endInterruption()
        changed(.player)
    }

    /// Pauses because nothing could be heard, and says so: what can't be heard is not played.
    /// - Source: MPD v0.24.13 src/player/Thread.cxx `OpenOutput`, src/output/MultipleOutputs.cxx.
    mutating func pauseWithoutOutput(_ message: String) {
        guard transport == .play else { return }
        transport = .pause
        errors.note(message)
        changed(.player)
        if loaded != nil { emit(.setPaused(true)) }
    }

    /// Makes a new random order in which `first`, where given, comes first; the current entry stays. That of a huge
    /// queue takes too long for the event loop: the former one begins again, and what follows is shuffled off the loop.
    mutating func reshuffle(first: QueueEntryID? = nil) {
        ordering.isOutdated = !ordering.isBesideLoop && queue.count >= Player.hugeQueue
        keepingCurrent { machine in
            if machine.ordering.isOutdated {
                machine.ordering.order.beginRandom(machine.queue.count)
            } else {
                machine.ordering.order.shuffle(
                    machine.queue.count, priorities: machine.queue.priorities, using: &machine.ordering.generator)
            }
            if let first, let index = machine.index(of: first) { machine.ordering.order.move(index, to: 0) }
        }
        ordering.firstOfNext = nil
    }

    /// Shuffles what follows the current entry of a random order, or all of it when stopped, as was put off.
    mutating func renewOrder() {
        ordering.isOutdated = false
        guard ordering.order.isRandom else { return }
        let played = transport == .stop ? 0 : current.map { $0 + 1 } ?? 0
        let next = nextID
        keepingCurrent { machine in
            machine.ordering.order.shuffle(
                machine.queue.count, after: played, priorities: machine.queue.priorities,
                using: &machine.ordering.generator)
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

    /// Brings what is prepared in line with what follows now; each step ends with it.
    mutating func refreshNext() {
        chooseFirstOfNextOrder()
        let next = loaded == nil || options.pausesBetweenSongs ? nil : nextID
        // A song that doesn't start at its beginning can't join on.
        let isStarted =
            !resumePoints.places.isEmpty && next.flatMap { entry($0) }.flatMap { resumePoint(of: $0) } != nil
        let wanted = next == plays.unpreparable || isStarted ? nil : next
        guard wanted != prepared?.entry else { return }
        let following = wanted.flatMap { entry($0) }
        let play = plays.prepare(following)
        if let play, let following {
            emit(.prepareNext(track(play, following)))
        } else {
            emit(.prepareNext(nil))
        }
    }

    /// Draws the first entry of the next random order early, so that it can be named and prepared. MPD shuffles early
    /// instead and keeps the current entry's position in the new order, so that its `nextsong` is not what plays next.
    private mutating func chooseFirstOfNextOrder() {
        guard ordering.order.isRandom, let current, successor(of: current) == .wrap else {
            ordering.firstOfNext = nil
            return
        }
        if let first = ordering.firstOfNext, entry(first) != nil { return }
        ordering.firstOfNext = drawFirstOfNextOrder()
    }

    /// Draws one of the entries with the highest priority, another than the current one if there is another.
    mutating func drawFirstOfNextOrder() -> QueueEntryID? {
        let skipped = currentPosition
        if !queue.hasPriorities, queue.count > 1 {
            let drawn = Int.random(in: 0..<queue.count - (skipped == nil ? 0 : 1), using: &ordering.generator)
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
        return candidates.randomElement(using: &ordering.generator).map { queue.id(at: $0) } ?? currentEntry?.id
    }

    /// Where an entry starts; nil is its beginning. A song that is played again right away starts there in any case.
    private func resumePoint(of entry: QueueEntry) -> Duration? {
        if let loaded, let current = self.entry(loaded.entry), PlaceKey(current.item) == PlaceKey(entry.item) {
            return nil
        }
        return resumePoints.point(of: entry)?.place
    }

    private func track(_ play: EnginePlay, _ entry: QueueEntry) -> EngineTrack {
        let source: EngineTrack.Source =
            switch entry.item {
            case .song(let song): .song(song)
            case .stream(let url, _):
                entry.item.outsideFile.map { .file(path: $0) } ?? DiscAddress(url).map { .disc($0) }
                    ?? .stream(url: url)
            }
        let named = if case .stream(let url) = source { ReplayGain(ofStream: url) } else { ReplayGain?.none }
        var track = EngineTrack(
            play: play.number, source: source, range: entry.range, duration: entry.playingTime,
            replayGain: named ?? entry.replayGain)
        track.sheetTags = entry.sheetTags
        return track
    }
}
