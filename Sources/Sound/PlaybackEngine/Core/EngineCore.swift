import AudioFiles
import AudioOutputs
import Coordination
import Logging
import MusicModel
import Outputs
import Playback

/// The engine's work on its thread: it takes commands in order, mixes, and tells what is heard.
///
/// Nothing blocks it: opening, seeking and closing happen on the decks' threads, devices are the outputs' business.
final class EngineCore {
    let commands: Mailbox<EngineCommand>
    let display: Monitor<EngineDisplay>
    private let events: AsyncStream<AudioEngineEvent>.Continuation
    let log: Logger
    let clock: any EngineClock
    var outputs: OutputSet
    var decks: DeckPool
    var timeline = Timeline()
    var hearing: Hearing
    var loudness: Loudness
    var speed = PlayingSpeed()
    var fading: Fading
    var radio: Radio
    var songs = SongJoining()
    var isPaused = false
    private var isRunning = true

    init(
        commands: Mailbox<EngineCommand>, display: Monitor<EngineDisplay>,
        events: AsyncStream<AudioEngineEvent>.Continuation, outputs: [OutputThread], provider: any TrackProvider,
        log: Logger, clock: any EngineClock, pacing: GStreamerEngine.Pacing, replayGain: ReplayGainSettings,
        outputFormat: AudioFormat?, fades: FadeSettings, radio: RadioSettings, memoryBudget: MemoryBudget
    ) {
        (self.commands, self.display, self.events) = (commands, display, events)
        (self.log, self.clock) = (log, clock)
        self.outputs = OutputSet(outputs, clock: clock)
        self.radio = Radio(radio)
        fading = Fading(fades)
        decks = DeckPool(commands, provider, memoryBudget)
        hearing = Hearing(pacing, clock)
        loudness = Loudness(replayGain)
        songs.crossfade.outputFormat = outputFormat
        if let failure = GStreamerLibrary.failure { log.error("GStreamer doesn't work: \(failure)") }
        if let problem = Self.findStretching(fades) { log.warning("\(problem)") }
        if let fault = GStreamerLibrary.trustFault { log.warning("SSL_CERT_FILE is not used: \(fault)") }
    }

    var current: PlayingDeck? { songs.current }
    var next: PlayingDeck? { songs.next }
    var outgoing: PlayingDeck? { songs.outgoing }
    var isAtEnd: Bool { songs.isAtEnd }

    // MARK: The loop

    func run() {
        while isRunning {
            let taken = takeCommands()
            choosePace()
            // The commands are about the position where the music is now.
            if !taken.isEmpty { hear(goesOn: false) }
            for command in taken { perform(command) }
            if !isRunning { return }
            hear()
            finishHeardFade()
            mix()
            superviseStreams()
            outputs.isPlaying = current != nil
            show()
            if let left = radio.neighbours.takeOverdue(at: clock.now) { keepOrDiscard(left) }
            decks.sweep()
        }
    }

    private func takeCommands() -> [EngineCommand] {
        let tracks = songs.decks + radio.switching.leaving.map(\.deck)
        let standsStill = tracks.contains { clock.standsStillForDecoders(isNetwork: $0.isStream) && $0.isWorkedOn }
        // Decoders have news as the system's time passes.
        if standsStill { return commands.take(waitingMilliseconds: 1) }
        // Bytes that arrive as such a clock advances make decoders work again.
        let isStarved = clock.standsStillForDecoders(isNetwork: false) && tracks.contains { $0.deck?.isStarved == true }
        return commands.take(waitingMilliseconds: isStarved ? min(pause, 5) : pause, by: clock)
    }

    /// How long nothing needs doing.
    private var pause: Int {
        if fading.goal != nil { return max(5, min(.milliseconds(300), fading.end - timeline.heard).milliseconds + 1) }
        guard current != nil, !isPaused else {
            return decks.isClosing || radio.neighbours.left != nil ? 500 : 3_600_000
        }
        if hearing.isUnpaced { return 1 }
        guard current?.phase == .ready || !isIdle else { return 50 }
        // While sound is missing it is looked for often.
        guard isAtEnd || timeline.lead >= minLead else { return 10 }
        var rest = isAtEnd ? timeline.lead : timeline.lead - minLead
        rest = min(rest, timeline.nextMark ?? .max)
        return max(5, min(300, rest.milliseconds + 1))
    }

    private var isIdle: Bool { timeline.lead == .zero && !timeline.hasMarks }

    private func perform(_ command: EngineCommand) {
        guard isRunning else {
            if case .shutDown(let finished) = command { finished() }
            return
        }
        switch command {
        case .start(let track, let position, let isPaused):
            start(track, at: SoundLimits.plausible(position), isPaused: isPaused)
        case .prepareNext(let track): prepareNext(track)
        case .seek(let target): seek(to: target)
        case .setPaused(let isPaused): setPaused(isPaused)
        case .stop: stop()
        case .set(let option): set(option)
        case .outputsChanged:
            outputs.join(heard: timeline.heard)
            emit(.outputsChanged)
            reviewDSD()
        case .release(let output, let destination): release(output, to: destination)
        case .adopt(let output): adopt(output)
        case .shutDown(let finished): shutDown(finished)
        case .opened(let deck, let result): opened(deck, result)
        case .keepReady(let streams): keepReady(streams)
        case .networkIsBack: retryStreams()
        case .resolved(let deck, let streams): resolved(deck, streams)
        case .tagged(let source, let tags): tagged(source, tags)
        case .deck(let deck, let event): handle(deck, event)
        }
    }

    func emit(_ event: AudioEngineEvent) { events.yield(event) }

    // MARK: Calls

    private func start(_ track: EngineTrack, at position: Nanoseconds, isPaused: Bool) {
        endFade()
        if startStation(track, at: max(.zero, position), isPaused: isPaused) { return }
        let overlap = isPaused ? nil : fadeOut(for: track)
        let prepared = songs.takeNext()
        if overlap == nil { stopCurrent() }
        if let prepared, prepared.track.soundsLike(track), position == .zero, !prepared.isOver,
            prepared.place == .zero, prepared.sound.carrier == nil
        {
            prepared.track = track
            songs.play(prepared)
            if prepared.facts != nil { tellInfo(of: prepared) }
        } else {
            discard(prepared)
            songs.play(makeDeck(track, target: max(.zero, position)))
        }
        hearing.expect(track.play, at: max(.zero, position))
        if let current { current.gain = GainRamp(gain(of: current)) }
        if let overlap {
            radio.switching.begin(TrackFade(length: overlap))
        } else {
            timeline.place(.started(play: track.play))
        }
        setPaused(isPaused)
        show()
    }

    private func withdrawEnd() { if isAtEnd, timeline.withdrawEnd() { songs.withdrawEnd() } }

    private func prepareNext(_ track: EngineTrack?) {
        if let track, let next, next.track.soundsLike(track), !next.isOver {
            next.track = track
            return
        }
        if let current, outgoing != nil, timeline.awaitsStart(of: current.track.play) {
            if let track, current.track.source == track.source, track.play == current.track.play { return }
            callOffJoin()
        }
        discard(songs.prepare(nil))
        guard let track, current != nil else { return }
        withdrawEnd()
        let deck = makeDeck(track, target: .zero)
        deck.gain = GainRamp(gain(of: deck))
        discard(songs.prepare(deck))
    }

    private func seek(to target: Duration) {
        if let current, outgoing != nil, timeline.awaitsStart(of: current.track.play) { callOffJoin() }
        guard let current else { return }
        guard current.isSeekable, !current.isOver else {
            let elapsed = timeline.playing?.position ?? current.place
            return emit(.seeked(play: current.track.play, target: target, elapsed: elapsed.duration))
        }
        abandonFade()
        withdrawEnd()
        let place = SoundLimits.plausible(target)
        current.soughtTarget = target
        move(current, to: min(place, current.duration ?? place))
    }

    /// Discards what is not heard and lets the track continue at `target`.
    func move(_ deck: PlayingDeck, to target: Nanoseconds) {
        let isStarting = timeline.awaitsStart(of: deck.track.play) || radio.switching.awaitsStart
        radio.switching.end().forEach(keepOrDiscard)
        let heard = timeline.heard(of: deck.track.play)
        silence()
        if isStarting { timeline.place(.started(play: deck.track.play)) }
        hearing.expect(deck.track.play, at: target, heard: heard)
        reposition(deck, to: target)
        show()
    }

    /// Lets a deck continue elsewhere; one opened while its bytes arrived is reopened if that lets it seek better.
    func reposition(_ deck: PlayingDeck, to target: Nanoseconds) {
        deck.reset(to: target)
        switch deck.phase {
        case .fetching: break
        case .opening: reopen(deck)
        case .ready, .seeking:
            if deck.canReopen || deck.isToReopen {
                (deck.isOpenedWhole, deck.isToReopen) = (true, false)
                return reopen(deck)
            }
            let number = decks.newID()
            deck.phase = .seeking(number: number)
            deck.deck?.seek(to: target + deck.offset, number: number)
        case .failed, .discarded: break
        }
    }

    private func reopen(_ deck: PlayingDeck) {
        decks.close(deck.deck)
        deck.id = decks.newID()
        deck.phase = .opening
        open(deck)
    }

    func setPaused(_ isPaused: Bool) {
        guard isPaused != self.isPaused else { return }
        if isPaused, fade(to: .pause) { return self.isPaused = true }
        hear(goesOn: false)
        self.isPaused = isPaused
        hearing.restartClock()
        if !isPaused {
            _ = fading.finish()
            outputs.fadeIn(heard: timeline.heard, over: fading.length(before: .pause))
        }
        outputs.setPaused(isPaused)
    }

    private func stop() {
        guard fade(to: .stop) else { return stopNow() }
        isPaused = true
        hearing.expectNothing()
        show()
    }

    func stopNow() {
        stopCurrent()
        discard(songs.takeNext())
        hearing.expectNothing()
        setPaused(false)
        show()
    }

    private func set(_ option: EngineOption) {
        switch option {
        case .volume(let volume): outputs.setVolume(Gain.factor(volume: volume))
        case .crossfade(let seconds): songs.crossfade.seconds = max(0, seconds)
        case .mixRamp(let threshold, let delay):
            (songs.crossfade.mixRampThreshold, songs.crossfade.mixRampDelay) = (threshold, delay)
        case .replayGain(let mode):
            loudness.mode = mode
            for deck in [current, next].compactMap(\.self) { deck.gain.target = gain(of: deck) }
        case .speed(let speed): self.speed.speed = speed
        }
    }

    func gain(of deck: PlayingDeck) -> Float { loudness.factor(for: deck.replayGain) }

    private func shutDown(_ finished: @Sendable () -> Void) {
        closeStations()
        stopCurrent()
        discard(songs.takeNext())
        // Decks are taken down by GStreamer, which takes the system's time.
        let end = Monotonic.now + .milliseconds(1500)
        outputs.close(log: log)
        decks.waitUntilGone(until: end)
        isRunning = false
        showNothing()
        events.finish()
        finished()
    }

    // MARK: Stopping

    /// Discards current track and what is before it; the next one stays.
    func stopCurrent() {
        tellProgress()
        silence()
        stopStations()
        songs.removeCurrent().forEach(discard)
        hearing.restartProgress(.zero)
        timeline.forget(allBut: [])
    }

    /// Discards all sound that is not heard; gives how much the outputs write nevertheless, none where one is live.
    @discardableResult
    func silence() -> Nanoseconds {
        let heard = timeline.heard
        let isOver = timeline.lead == .zero && fading.goal == nil
        forgetFade()
        timeline.cut()
        speed.reset()
        defer { hearing.restartClock() }
        return outputs.flush(heard: heard, isOver: isOver)
    }

    func discard(_ deck: PlayingDeck?) {
        guard let deck else { return }
        closeRelief(of: deck)
        deck.phase = .discarded
        decks.close(deck.deck)
        deck.deck = nil
    }

    // MARK: Making decks

    func makeDeck(_ track: EngineTrack, target: Nanoseconds) -> PlayingDeck {
        let canRewind = fading.settings.next > .zero
        let deck = PlayingDeck(id: decks.newID(), track: track, target: target, canRewind: canRewind, clock: clock)
        switch track.source {
        case .song(let song): decks.fetch(song, for: deck.id)
        case .file(let path): decks.fetch(file: path, for: deck.id)
        case .disc: open(deck)
        // A stream that joins on is opened shortly before its turn: it plays from where it is then.
        case .stream: break
        }
        return deck
    }

    func open(_ deck: PlayingDeck) {
        let origin: Deck.Origin
        switch (deck.track.source, deck.file) {
        case (.stream, _): return openStream(deck)
        case (.disc(let address), _): origin = .disc(address, devices: radio.settings.stations.discDevices)
        case (_, let file?): origin = .file(file, asWhole: deck.isOpenedWhole, outputs.acceptedDoP)
        case (_, nil): return
        }
        deck.phase = .opening
        deck.deck = decks.open(
            origin, id: deck.id, start: deck.sound.target + deck.offset, maxChannels: outputs.maxChannels)
    }

    // MARK: Exchanging outputs

    /// Lets an output go to another engine; what was heard here it still writes, the rest is not its any more.
    private func release(_ output: OutputThread, to destination: Mailbox<EngineCommand>) {
        endFade()
        hear(goesOn: false)
        if outputs.release(output, heard: timeline.heard) { destination.post(.adopt(output)) }
        reviewDSD()
    }

    private func adopt(_ output: OutputThread) {
        endFade()
        hear()
        let due = hearing.due(timeline) ?? .max
        outputs.adopt(output, isPaused: isPaused, heard: timeline.heard, due: due)
        reviewDSD()
    }
}
