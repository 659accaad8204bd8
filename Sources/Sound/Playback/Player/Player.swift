package import Coordination
import Foundation
import Logging
package import MusicModel
package import ServerLoop

/// The player of one partition: its queue, its options and what it plays. The rules are in `PlayerStateMachine`; this
/// is the shell that does to the engine what the rules say, tells clients what changed, and follows what is heard.
/// - Isolation: ServerActor throughout; no method suspends, so a command reads and changes without interleaving.
@ServerActor
package final class Player {
    /// The engine that plays; outputs are listed and switched here.
    package let engine: any AudioEngine
    /// Hears where songs are.
    package weak var placeKeeper: (any PlaceKeeping)?
    /// They come from the configuration and never change.
    package let settings: PlayerSettings
    /// The output that clients see behind the others; nil is none.
    package weak var outputSwitch: (any OutputSwitch)?

    /// The rules, and what they made of the player. `perform` changes it, since orders to the engine follow from that;
    /// other files can't change it otherwise.
    private(set) var machine: PlayerStateMachine
    var largeEdits = LargeEdits()
    var hearing: HeardPlay?
    var endedPlaytime = Duration.zero
    /// The song that plays, and the speed of others while it has its own.
    var speeds: (entry: QueueEntryID?, song: SongID?, other: Double?) = (nil, nil, nil)
    var sleepTimer: SleepTimer?
    var presence: (isPausedAlone: Bool, leaving: Task<Void, Never>?) = (false, nil)
    /// This queue's part of the memory for URLs and tags, in bytes.
    private var taken = 0
    /// Plays as they happen, for the scrobbler; one consumer.
    package let playbackEvents: AsyncStream<PlaybackEvent>
    let continuation: AsyncStream<PlaybackEvent>.Continuation
    /// The time of day in Unix milliseconds.
    let now: @Sendable () -> Int64
    private let provider: (any TrackProvider)?
    private var upcoming: [SongID] = []
    private var changeCounts = ChangeCounts()
    private var lastStart: ContinuousClock.Instant
    private(set) var shownOutputs: [OutputStatus]
    private let notify: @ServerActor (Subsystem) -> Void
    let clock: any ServiceClock
    /// The faults of playing since the start.
    package private(set) var faults = PlaybackFaults()
    /// The entry that could not be played, or broke off, last; nil once that one is started again.
    package private(set) var lastFailed: QueueEntryID?
    let logger = Logger(label: "segue.player")

    /// How long after its song was started sound may come without a change being reported.
    private static let promptness = Duration.milliseconds(250)

    /// Makes a player with an empty queue. `notify` receives every real change.
    package convenience init(
        engine: any AudioEngine, provider: (any TrackProvider)?, settings: PlayerSettings = PlayerSettings(),
        clock: any ServiceClock = ContinuousClock(), notify: @escaping @ServerActor (Subsystem) -> Void
    ) {
        self.init(
            engine: engine, provider: provider, machine: PlayerStateMachine(limit: settings.queueLimit),
            settings: settings,
            now: { Int64((Date().timeIntervalSince1970 * 1000).rounded()) }, clock: clock, notify: notify)
    }

    init(
        engine: any AudioEngine, provider: (any TrackProvider)?, machine: consuming PlayerStateMachine,
        settings: PlayerSettings = PlayerSettings(), now: @escaping @Sendable () -> Int64,
        clock: any ServiceClock = ContinuousClock(), notify: @escaping @ServerActor (Subsystem) -> Void
    ) {
        (self.engine, self.settings, self.clock) = (engine, settings, clock)
        lastStart = clock.now
        self.machine = machine
        self.notify = notify
        // Bounded, so that nothing piles up where plays are not recorded; that is over an hour of reports.
        (playbackEvents, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4096))
        (self.now, self.provider) = (now, provider)
        self.machine.fixed = settings.fixedOptions
        shownOutputs = engine.outputs
        // The first step tells the engine all options.
        perform { _ in }
    }

    deinit {
        continuation.finish()
        settings.queueRoom.note(0, insteadOf: taken)
    }

    /// Moves with every change of the queue's contents; what is saved is outdated when it moved.
    package var queueChangeCount: UInt64 { changeCounts.queue }
    /// Moves with every change of options or transport (not with the ticking of elapsed).
    package var playerChangeCount: UInt64 { changeCounts.player }
    /// How much music of the library has been heard since the start, for `stats`.
    package var playtime: Duration { endedPlaytime + (hearing?.heard ?? .zero) }

    /// Consumes the engine's events until the task is cancelled.
    package func run() async {
        for await event in engine.events {
            if Task.isCancelled { break }
            handle(event)
        }
    }

    /// Carries out a command that can't fail, and all that follows from it.
    func perform<Value>(_ command: (inout PlayerStateMachine) -> Value) -> Value {
        let before = machine.loaded?.song
        machine.queue.sizeLimit = settings.queueRoom.share(of: taken)
        let step = machine.step(canBeHeard: hasOutput, command)
        noteSize()
        for order in step.orders { carryOut(order, leaving: before) }
        followSpeed()
        prefetch()
        renewOrderIfDue()
        tell(step.changes)
        return step.value
    }

    /// Carries out a command that may be refused, and all that follows from the part that was not.
    func attempt<Value>(
        _ command: (inout PlayerStateMachine) throws(PlayerError) -> Value
    ) throws(PlayerError) -> Value {
        try perform { machine -> Result<Value, PlayerError> in
            do throws(PlayerError) { return .success(try command(&machine)) } catch { return .failure(error) }
        }.get()
    }

    func copyOfMachine() -> PlayerStateMachine {
        machine.queue.sizeLimit = settings.queueRoom.share(of: taken)
        return machine.copy()
    }

    func hasRoom(forQueueOf size: Int) -> Bool { size <= max(taken, settings.queueRoom.share(of: taken)) }

    private func noteSize() {
        let size = machine.queue.extraSize
        guard size != taken else { return }
        settings.queueRoom.note(size, insteadOf: taken)
        taken = size
    }

    private func tell(_ changes: Subsystem) {
        guard !changes.isEmpty else { return }
        changeCounts.note(changes)
        notify(changes)
        if changes.contains(.player) { followListeners() }
    }

    /// Where songs start that don't start at their beginning; taken in with the next command or event.
    package var resumePoints: ResumePoints {
        get { machine.resumePoints }
        set { machine.resumePoints = newValue }
    }

    func handle(_ event: AudioEngineEvent) {
        follow(event)
        if case .outputsChanged = event { return noticeOutputs() }
        note(event)
        if case .failed(let play, _) = event, let loaded = machine.loaded, loaded.number == play {
            lastFailed = loaded.entry
        }
        let isLate = isLate(event)
        perform { machine in
            machine.handle(event)
            if isLate { machine.changed(.player) }
        }
        // Only when time has passed: clients disable one output and then enable another.
        if case .progress = event, !hasOutput { perform { $0.pauseWithoutOutput("Failed to open audio output") } }
        if case .started(let play) = event, let loaded = machine.loaded, loaded.number == play {
            beginHearing(play, machine.entry(loaded.entry))
        }
    }

    /// True if a song sounds only now that was started a while ago: clients count its time from when they were told.
    private func isLate(_ event: AudioEngineEvent) -> Bool {
        guard case .started(let play) = event, let loaded = machine.loaded, loaded.number == play else { return false }
        return !loaded.hasStarted && clock.now - lastStart > Self.promptness
    }

    /// Compares the outputs with those that clients were told of; `always` tells them in any case.
    func noticeOutputs(always: Bool = false) {
        let volume = machine.mixerVolume
        noticeMixers()
        if volume != machine.mixerVolume { announce(.mixer) }
        let outputs = engine.outputs
        guard always || !outputs.elementsEqual(shownOutputs, by: { $0.isShown(as: $1) }) else { return }
        shownOutputs = outputs
        announce(.output)
        followListeners()
    }

    func noticeMixers() {
        let volume = engine.volume(software: machine.options.volume)
        machine.mixerVolume = volume == machine.options.volume ? nil : volume
    }

    /// Passes a change on that the machine doesn't know of.
    func announce(_ subsystem: Subsystem) {
        changeCounts.notePlayer()
        notify(subsystem)
    }

    /// Notes a change that is to be saved and that no client hears of.
    func noteSilently() { changeCounts.notePlayer() }

    /// Has the engine carry out an order; `previous` is the song that it had before.
    private func carryOut(_ order: EngineOrder, leaving previous: SongID?) {
        switch order {
        case .start(let track, let position, let isPaused):
            if machine.loaded?.entry == lastFailed { lastFailed = nil }
            lastStart = clock.now
            endHearing(.left)
            var track = completed(track)
            track.followsOnAlbum = isNeighbour(track, of: previous)
            engine.start(track, at: position, paused: isPaused)
        case .prepareNext(let track): engine.prepareNext(track.map { completed($0, behind: current?.entry.songID) })
        case .seek(let position): engine.seek(to: position)
        case .setPaused(let isPaused):
            // It is heard on for a moment; clients are told one position.
            if isPaused, let heard = elapsedInEngine { machine.place.progressed(to: heard) }
            engine.setPaused(isPaused)
            if isPaused { tellPlace(.paused) }
            publishMove(to: elapsed, isPaused: isPaused)
        case .stop:
            endHearing(.left)
            engine.stop()
        case .set(let option): engine.set(option)
        case .keepReady(let streams): engine.keepReady(streams: streams)
        }
    }

    private func completed(_ track: EngineTrack, behind previous: SongID? = nil) -> EngineTrack {
        guard case .song(let song) = track.source else { return track }
        var track = track
        track.measuredGain = settings.measuredGain?(song)
        let transitions = settings.transitions
        if let ramps = transitions.ramps?(song) { track.measuredRamps = ramps }
        // They count from the file's beginning.
        if track.range == nil { track.measuredBeats = transitions.beats?(song) }
        if let previous, track.range == nil, transitions.joins?(previous, song) ?? false {
            track.followsOnAlbum = !transitions.crossfadesAlbums
            // Where they overlap all the same, each keeps its own tempo.
            track.measuredBeats?.head = nil
        }
        return track
    }

    /// True if a track that is started is next to the song that played, on its album: before it or behind it.
    private func isNeighbour(_ track: EngineTrack, of previous: SongID?) -> Bool {
        guard machine.options.crossfade > 0, let previous, case .song(let song) = track.source,
            let joins = settings.transitions.joins, !settings.transitions.crossfadesAlbums
        else { return false }
        return joins(previous, song) || joins(song, previous)
    }

    private func prefetch() {
        guard let provider else { return }
        let isIdle = machine.loaded == nil || settings.prefetchCount == 0
        let songs = isIdle ? [] : machine.following(settings.prefetchCount).compactMap(\.songID)
        guard songs != upcoming else { return }
        upcoming = songs
        provider.prefetch(songs)
    }

    private func note(_ event: AudioEngineEvent) {
        switch event {
        case .failed(let play, let message) where machine.plays.expects(play):
            note(play, "can't be played: \(message)", level: .warning)
        case .interrupted(let play, let message) where play == machine.loaded?.number:
            note(play, message.map { "is interrupted: \($0)" } ?? "sounds again", level: .notice)
        case .buffering(let play, true) where machine.plays.expects(play): note(play, "buffering", level: .notice)
        default: return
        }
        faults.note(event)
    }

    private func note(_ play: UInt64, _ text: String, level: Logger.Level) {
        guard let item = machine.plays.play(play).flatMap({ machine.entry($0.entry)?.item }) else { return }
        switch item {
        case .stream(_, let tags):
            let name = tags.first { $0.tag == .name || $0.tag == .title }?.value ?? "A stream"
            logger.log(level: level, "\(name): \(text)")
        case .song(let song):
            Task { [provider, logger] in
                let path = await provider?.path(of: song) ?? "A song"
                logger.log(level: level, "\(path): \(text)")
            }
        }
    }
}
