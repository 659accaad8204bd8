import Logging
import MusicModel
import Outputs
import Playback

/// What runs on the engine's thread: it takes commands in order, mixes, and tells what is heard.
///
/// It never blocks for longer than it waits for commands: opening, seeking and closing happen on the decks' threads,
/// devices are the outputs' business.
/// - Isolation: the engine's thread, but for `init`.
final class EngineCore {
    let commands: Mailbox<EngineCommand>
    let display: Monitor<EngineDisplay>
    let events: AsyncStream<AudioEngineEvent>.Continuation
    /// The outputs that play; they come and go when partitions exchange them.
    private(set) var outputs: [OutputThread]
    let provider: any TrackProvider
    let log: Logger
    let pacing: GStreamerEngine.Pacing
    private let replayGainSettings: ReplayGainSettings

    /// The track whose sound is mixed now.
    var current: PlayingDeck?
    /// The track that joins on.
    var next: PlayingDeck?
    /// The track before `current`, until its last sample was heard: it comes back if the join is called off.
    var outgoing: PlayingDeck?
    var timeline = Timeline()
    var fade: Fade?
    /// Whether `current` faded in over `outgoing`.
    var isJoinFaded = false
    var volume: Float = 1
    var crossfade = CrossfadeSettings()
    var replayGainMode = EngineReplayGainMode.off
    var isPaused = false
    /// Whether the end of `current` has been mixed and nothing follows.
    var isAtEnd = false
    /// What `progress` says until the track is heard.
    var placeholder: EngineProgress?
    var pacer = Pacer()
    /// Whether the music takes no time: it goes as fast as the outputs take it.
    var isUnpaced: Bool
    var lastProgress: Int64 = 0
    /// The play whose start was told last.
    var lastStarted: UInt64?
    /// What was mixed and isn't heard to its end yet, for an output that joins in.
    var recent: [SampleBlock] = []
    /// Stations that fade out or wait for their turn.
    var radio: RadioState
    /// What was mixed and isn't given to the outputs yet.
    var fresh: [SampleBlock] = []
    private var lastDeck = 0
    private var closing: [Deck] = []
    private var isRunning = true

    init(
        commands: Mailbox<EngineCommand>, display: Monitor<EngineDisplay>,
        events: AsyncStream<AudioEngineEvent>.Continuation, outputs: [OutputThread], provider: any TrackProvider,
        log: Logger, pacing: GStreamerEngine.Pacing, replayGain: ReplayGainSettings, outputFormat: AudioFormat?,
        radio: RadioSettings
    ) {
        self.radio = RadioState(radio)
        crossfade.outputFormat = outputFormat
        self.commands = commands
        self.display = display
        self.events = events
        self.outputs = outputs
        self.provider = provider
        self.log = log
        self.pacing = pacing
        isUnpaced = pacing == .fast
        replayGainSettings = replayGain
        if let failure = GStreamerLibrary.failure { log.error("GStreamer doesn't work: \(failure)") }
        if let fault = GStreamerLibrary.trustFault { log.warning("SSL_CERT_FILE is not used: \(fault)") }
    }

    // MARK: The loop

    /// Runs until `shutDown`.
    func run() {
        while isRunning {
            let taken = commands.take(waitingMilliseconds: pause)
            choosePace()
            // What the commands are about is where the music is now.
            if !taken.isEmpty { hear(goesOn: false) }
            for command in taken { perform(command) }
            if !isRunning { return }
            hear()
            mix()
            superviseStreams()
            show()
            if !closing.isEmpty { closing.removeAll { $0.waitUntilGone(milliseconds: 0) } }
        }
    }

    /// How long nothing needs doing.
    private var pause: Int {
        guard current != nil, !isPaused else { return closing.isEmpty ? 3_600_000 : 500 }
        if isUnpaced { return 1 }
        guard current?.phase == .ready || !isIdle else { return 50 }
        // While sound is missing it is looked for often.
        guard isAtEnd || timeline.lead >= leastLead else { return 10 }
        var rest = isAtEnd ? timeline.lead : timeline.lead - leastLead
        rest = min(rest, timeline.nextMark ?? .max)
        return max(5, min(300, Int(rest / 1_000_000) + 1))
    }

    /// Whether nothing waits to be heard.
    private var isIdle: Bool { timeline.lead == 0 && !timeline.hasMarks }

    private func perform(_ command: EngineCommand) {
        guard isRunning else {
            if case .shutDown(let finished) = command { finished() }
            return
        }
        switch command {
        case .start(let track, let position, let isPaused):
            start(track, at: SoundLimits.nanoseconds(position), isPaused: isPaused)
        case .prepareNext(let track): prepareNext(track)
        case .seek(let position): seek(to: SoundLimits.nanoseconds(position))
        case .setPaused(let isPaused): setPaused(isPaused)
        case .stop: stop()
        case .setVolume(let volume): setVolume(volume)
        case .setCrossfade(let seconds): crossfade.seconds = max(0, seconds)
        case .setMixRamp(let threshold, let delay):
            (crossfade.mixRampThreshold, crossfade.mixRampDelay) = (threshold, delay)
        case .setReplayGainMode(let mode): setReplayGainMode(mode)
        case .outputsChanged: emit(.outputsChanged)
        case .release(let output, let destination): release(output, to: destination)
        case .adopt(let output): adopt(output)
        case .shutDown(let finished): shutDown(finished)
        case .opened(let deck, let result): opened(deck, result)
        case .keepReady(let streams): keepReady(streams)
        case .resolved(let deck, let streams): resolved(deck, streams)
        case .tagged(let song, let tags): tagged(song, tags)
        case .deck(let deck, let event): heed(deck, event)
        }
    }

    /// Tells the player something.
    func emit(_ event: AudioEngineEvent) { events.yield(event) }

    // MARK: Calls

    private func start(_ track: EngineTrack, at position: Int64, isPaused: Bool) {
        if startStation(track, at: max(0, position), isPaused: isPaused) { return }
        let prepared = next
        next = nil
        drop()
        if let prepared, prepared.track.soundsLike(track), position == 0, !prepared.isOver, prepared.place == 0,
            prepared.sound.carrier == nil
        {
            prepared.track = track
            current = prepared
            if prepared.facts != nil { tellInfo(of: prepared) }
        } else {
            discard(prepared)
            current = makeDeck(track, target: max(0, position))
        }
        placeholder = EngineProgress(play: track.play, elapsed: .nanoseconds(max(0, position)), heard: .zero)
        if let current { current.gain = GainRamp(gain(of: current)) }
        timeline.place(.started(play: track.play))
        setPaused(isPaused)
        show()
    }

    private func prepareNext(_ track: EngineTrack?) {
        if let track, let next, next.track.soundsLike(track), !next.isOver {
            next.track = track
            return
        }
        if let current, outgoing != nil, timeline.awaitsStart(of: current.track.play) {
            if let track, current.track.source == track.source, track.play == current.track.play { return }
            callOffJoin()
        }
        fade = nil
        discard(next)
        next = nil
        guard let track, current != nil else { return }
        if isAtEnd, timeline.withdrawEnd() { isAtEnd = false }
        let deck = makeDeck(track, target: 0)
        deck.gain = GainRamp(gain(of: deck))
        next = deck
    }

    private func seek(to position: Int64) {
        if let current, outgoing != nil, timeline.awaitsStart(of: current.track.play) { callOffJoin() }
        guard let current else { return }
        guard current.isSeekable, !current.isOver else {
            let elapsed = timeline.playing?.position ?? current.place
            return emit(.seeked(play: current.track.play, elapsed: .nanoseconds(elapsed)))
        }
        abandonFade()
        if isAtEnd, timeline.withdrawEnd() { isAtEnd = false }
        let target = min(position, current.duration ?? position)
        current.answersSeek = true
        move(current, to: target)
    }

    /// Drops what is not heard and lets the track go on at `target`.
    func move(_ deck: PlayingDeck, to target: Int64) {
        let isStarting = timeline.awaitsStart(of: deck.track.play)
        let heard = timeline.heard(of: deck.track.play)
        silence()
        if isStarting { timeline.place(.started(play: deck.track.play)) }
        placeholder = EngineProgress(play: deck.track.play, elapsed: .nanoseconds(target), heard: .nanoseconds(heard))
        reposition(deck, to: target)
        show()
    }

    /// Lets a deck go on elsewhere; one that was opened while its bytes arrived is opened anew if
    /// that lets it seek better.
    func reposition(_ deck: PlayingDeck, to target: Int64) {
        deck.reset(to: target)
        switch deck.phase {
        case .fetching: break
        case .opening: reopen(deck)
        case .ready, .seeking:
            if deck.canReopen {
                deck.isOpenedWhole = true
                return reopen(deck)
            }
            lastDeck += 1
            deck.phase = .seeking(number: lastDeck)
            deck.deck?.seek(to: target.addingClamped(deck.offset), number: lastDeck)
        case .failed, .discarded: break
        }
    }

    private func reopen(_ deck: PlayingDeck) {
        retire(deck.deck)
        deck.id = newDeckID()
        deck.phase = .opening
        open(deck)
    }

    func setPaused(_ isPaused: Bool) {
        guard isPaused != self.isPaused else { return }
        hear(goesOn: false)
        self.isPaused = isPaused
        pacer.restart()
        for output in outputs { output.setPaused(isPaused) }
    }

    private func stop() {
        drop()
        discard(next)
        next = nil
        placeholder = nil
        setPaused(false)
        show()
    }

    private func setVolume(_ volume: Int) {
        self.volume = Gain.factor(volume: volume)
        for output in outputs { output.setVolume(self.volume) }
    }

    private func setReplayGainMode(_ mode: EngineReplayGainMode) {
        replayGainMode = mode
        for deck in [current, next].compactMap(\.self) { deck.gain.target = gain(of: deck) }
    }

    /// The ReplayGain factor of a track.
    func gain(of deck: PlayingDeck) -> Float { Gain.factor(deck.replayGain, mode: replayGainMode, replayGainSettings) }

    private func shutDown(_ finished: @Sendable () -> Void) {
        closeStations()
        drop()
        discard(next)
        next = nil
        for output in outputs { output.close() }
        let now = Monotonic.now
        func left(of limit: Int64) -> Int { max(0, Int((now + limit - Monotonic.now) / 1_000_000)) }
        // A recording that isn't completed is damaged, so it gets more time than a device.
        for output in outputs {
            let limit: Int64 = output.specification.type == .file ? 2_500_000_000 : 1_500_000_000
            guard !output.waitUntilGone(milliseconds: left(of: limit)) else { continue }
            log.warning("Output \"\(output.specification.name)\" doesn't close in time")
        }
        for deck in closing { _ = deck.waitUntilGone(milliseconds: left(of: 1_500_000_000)) }
        isRunning = false
        display.withLock { $0.progress = nil }
        events.finish()
        finished()
    }

    // MARK: Dropping

    /// Drops current track and what is before it; the next one stays.
    func drop() {
        tellProgress()
        silence()
        dropStations()
        discard(current)
        discard(outgoing)
        (current, outgoing, fade, isAtEnd) = (nil, nil, nil, false)
        lastProgress = 0
        timeline.forget(allBut: [])
    }

    /// Drops all sound that is not heard.
    ///
    /// - Returns: how much sound the outputs write nevertheless, in nanoseconds; none where one plays at its own speed.
    @discardableResult
    func silence() -> Int64 {
        let heard = timeline.heard
        timeline.cut()
        (recent, fresh) = ([], [])
        let written = outputs.map { $0.flush(heard: heard) }
        pacer.restart()
        return outputs.contains { $0.isLive && $0.report.isEnabled } ? 0 : max(0, (written.max() ?? heard) - heard)
    }

    func discard(_ deck: PlayingDeck?) {
        guard let deck else { return }
        closeRelief(of: deck)
        deck.phase = .discarded
        retire(deck.deck)
        deck.deck = nil
    }

    func retire(_ deck: Deck?) {
        guard let deck else { return }
        deck.close()
        closing.append(deck)
    }

    // MARK: Making decks

    func newDeckID() -> Int {
        lastDeck += 1
        return lastDeck
    }

    private func makeDeck(_ track: EngineTrack, target: Int64) -> PlayingDeck {
        let deck = PlayingDeck(id: newDeckID(), track: track, target: target)
        switch track.source {
        case .song(let song):
            fetchTags(of: song)
            let (id, commands, provider) = (deck.id, commands, provider)
            Task.detached {
                do {
                    commands.post(.opened(deck: id, .success(try await provider.open(song))))
                } catch let error as TrackError {
                    commands.post(.opened(deck: id, .failure(error)))
                } catch {
                    commands.post(.opened(deck: id, .failure(TrackError("the song can't be opened"))))
                }
            }
        // A stream that joins on is opened shortly before its turn: it plays from where it is then.
        case .stream: break
        }
        return deck
    }

    func open(_ deck: PlayingDeck) {
        let (id, commands) = (deck.id, commands)
        let origin: Deck.Origin
        switch (deck.track.source, deck.file) {
        case (.stream, _): return openStream(deck)
        case (.song, let file?): origin = .file(file, asWhole: deck.isOpenedWhole)
        case (.song, nil): return
        }
        deck.phase = .opening
        deck.deck = Deck(origin, start: deck.sound.target.addingClamped(deck.offset)) { commands.post(.deck(id, $0)) }
    }

    // MARK: Exchanging outputs

    /// Lets an output go to another engine; what was heard here it still writes, the rest is not its any more.
    private func release(_ output: OutputThread, to destination: Mailbox<EngineCommand>) {
        guard let index = outputs.firstIndex(where: { $0 === output }) else { return }
        hear(goesOn: false)
        outputs.remove(at: index)
        output.leave(heard: timeline.heard)
        destination.post(.adopt(output))
    }

    /// Takes an output in; it joins at the place that is heard now.
    private func adopt(_ output: OutputThread) {
        hear()
        outputs.append(output)
        output.setVolume(volume)
        output.join(isPaused: isPaused, due: isUnpaced ? .max : timeline.heard)
        output.give(recent.filter { $0.end > timeline.heard })
    }
}
