import AudioFiles
import AudioOutputs
import Coordination
import MusicModel
import Playback

/// The connections of streams: made, made again for as long as it takes, given up.
extension EngineCore {
    // MARK: Connecting

    func openStream(_ deck: PlayingDeck) {
        guard let url = deck.track.streamURL else { return }
        deck.phase = .opening
        deck.link.retryAt = nil
        deck.link.openedAt = clock.now
        let targets = deck.link.targets
        if targets == StreamTargets(), StreamTargets.isLikelyPlaylist(url) { return readPlaylist(deck) }
        deck.id = decks.newID()
        deck.deck = connect(deck, id: deck.id)
    }

    private func connect(_ deck: PlayingDeck, id: Int) -> Deck {
        // Stations overlap at one rate, so they take over that of the one that plays.
        let other = [current, radio.switching.leaving.last?.deck].compactMap(\.self).first {
            $0 !== deck && $0.isStream
        }
        deck.link.lastRate = other?.sound.carrier?.rate ?? other?.link.lastRate ?? deck.link.lastRate
        let request = StreamRequest(
            url: deck.link.address(for: deck.track.streamURL ?? ""), rate: deck.link.lastRate,
            timeout: Int(max(1, radio.settings.stations.timeout.components.seconds)),
            isAhead: deck !== current && deck !== next, lineInputs: radio.settings.stations.lineInputs)
        return decks.open(.stream(request), id: id, start: deck.sound.target)
    }

    private func readPlaylist(_ deck: PlayingDeck) {
        guard let url = deck.track.streamURL else { return }
        deck.link.targets.beginReading()
        deck.phase = .opening
        deck.id = decks.newID()
        let (id, commands, resolver) = (deck.id, commands, radio.settings.resolver)
        Task.detached { commands.post(.resolved(deck: id, await resolver?.streams(inPlaylist: url))) }
    }

    func resolved(_ id: Int, _ streams: [String]?) {
        guard let deck = find(id), deck.phase == .opening else { return }
        deck.link.targets.found(streams)
        if streams?.isEmpty == false || deck.link.failure?.isNoSound != true { return openStream(deck) }
        connectionEnded(deck, deck.link.failure ?? StreamFailure(message: "this is not audio"))
    }

    func streamIsReady(_ deck: PlayingDeck, _ facts: DeckFacts) {
        let plays = deck === current || deck === next
        deck.deck?.pipeline?.setResting(!plays, isEndless: facts.isEndless)
        deck.link.lastRate = deck.link.lastRate ?? facts.format.map { max(44_100, $0.sampleRate) }
    }

    // MARK: Breaking

    func broken(_ deck: PlayingDeck, _ failure: StreamFailure) {
        guard deck.phase == .ready else { return connectionEnded(deck, failure) }
        // Sound that was decoded before is heard first. Later errors only say that nothing flows any more.
        deck.breakage = deck.breakage ?? failure
        received(deck)
    }

    /// All that comes over this connection is here: if it is to continue, a new one is made while the rest is heard.
    func received(_ deck: PlayingDeck) {
        guard deck.isEndless || deck.breakage != nil else { return }
        if radio.neighbours.decks.contains(where: { $0 === deck }) {
            return connectionEnded(deck, StreamFailure(message: "the connection broke off"))
        }
        let isLast = deck.breakage?.isRefused ?? deck.isWhole(at: deck.place + deck.queued)
        guard deck === current, deck.isEndless, !isLast, deck.link.relief == nil, deck.link.isSteady, !isPaused else {
            return
        }
        let id = decks.newID()
        deck.link.openedAt = clock.now
        deck.link.relief = StreamLink.Relief(id: id, deck: connect(deck, id: id))
    }

    /// Handles the second connection of the current station; false if the event is another deck's.
    func handleRelief(_ id: Int, _ event: DeckEvent) -> Bool {
        guard let current, current.link.relief?.id == id else { return false }
        switch event {
        case .ready(let facts): current.link.relief?.facts = facts
        case .failed, .broken, .received: closeRelief(of: current)
        case .tags(let tags): current.link.tags = tags
        case .format(let format): current.link.relief?.facts?.format = format
        default: break
        }
        return true
    }

    func closeRelief(of deck: PlayingDeck) {
        decks.close(deck.link.relief?.deck)
        deck.link.relief = nil
    }

    /// A connection is of no use any more: another one is made, at once or after a while, or the station is given up.
    func connectionEnded(_ deck: PlayingDeck, _ failure: StreamFailure) {
        let place = deck.place
        decks.close(deck.deck)
        deck.deck = nil
        // Later news of the connection's end count for nothing.
        deck.id = decks.newID()
        deck.reset(to: deck.link.hasSounded ? place : deck.sound.target)
        let consequence = radio.supervision.consequence(
            of: failure, for: &deck.link, isResting: deck !== current, isEndless: deck.isEndless, at: clock.now)
        switch consequence {
        case .readPlaylist: readPlaylist(deck)
        case .giveUp(let message): fail(deck, message)
        case .end: (deck.phase, deck.link.hasEnded) = (.fetching, true)
        case .retry: deck.phase = .fetching
        }
    }

    func isOver(_ deck: PlayingDeck) -> Bool { deck.breakage == nil && deck.isWhole(at: deck.place) }

    func renew(_ deck: PlayingDeck) {
        let now = clock.now
        deck.link.silentSince = deck.link.silentSince ?? now
        deck.link.renewedAt = deck.place
        let failure = deck.breakage ?? deck.link.failure ?? StreamFailure(message: "the connection broke off")
        guard let relief = deck.link.relief else { return connectionEnded(deck, failure) }
        let place = deck.place
        _ = deck.link.connectionEnded(at: now, pauses: radio.settings.pauses)
        decks.close(deck.deck)
        deck.reset(to: place)
        (deck.id, deck.deck, deck.phase) = (relief.id, relief.deck, .opening)
        deck.link.relief = nil
        if let facts = relief.facts { becomeReady(deck, facts) }
    }

    // MARK: Supervision

    func retryStreams() {
        let now = clock.now
        for deck in [current, next].compactMap(\.self) + radio.neighbours.decks where deck.link.retryAt ?? .zero > now {
            deck.link.retryAt = now
        }
    }

    /// Supervises connections as time passes. Nothing is lost or given up while the player is paused.
    func superviseStreams() {
        guard !isPaused, let current else { return }
        let now = clock.now
        tellNews(now: now)
        guard current.isStream else {
            superviseSong(current)
            return superviseReady(now: now)
        }
        radio.supervision.pass(&current.link, at: now)
        superviseReady(now: now)
        supervise(current, now: now)
    }

    private func superviseSong(_ deck: PlayingDeck) {
        guard deck.phase == .fetching || deck.phase == .opening, timeline.lead == .zero else { return }
        if deck.shortage.lasts(at: clock.now, patience: .seconds(1), isHeard: true) { tellWait(for: deck) }
    }

    private func supervise(_ deck: PlayingDeck, now: Nanoseconds) {
        if let retryAt = deck.link.retryAt, retryAt <= now { openStream(deck) }
        let order = radio.supervision.order(
            for: deck.link, deck.phase, isSegmented: deck.facts?.isSegmented == true, at: now)
        if case .giveUp(let message) = order { return fail(deck, message) }
        if timeline.lead == .zero, let complaint = deck.link.complaintToTell(at: now) {
            emit(.interrupted(play: deck.track.play, message: complaint))
        }
        if case .reconnect(let failure) = order { connectionEnded(deck, failure) }
    }

    func soundCame(_ deck: PlayingDeck) {
        _ = deck.link.soundCame(at: clock.now)
        guard deck.link.complaint != nil else { return }
        deck.link.complaint = nil
        emit(.interrupted(play: deck.track.play, message: nil))
    }

    // MARK: What a stream says about itself

    /// Texts came within the stream: they are told when the sound is heard that they came with.
    func named(_ deck: PlayingDeck, _ tags: [TagValue]) {
        let isFirstTitle = !deck.link.tags.contains { $0.tag == .title } && tags.contains { $0.tag == .title }
        deck.link.tags = tags
        guard deck === current else {
            if deck === next { emit(.streamTags(play: deck.track.play, tags)) }
            return
        }
        // A station's first title is what plays at the moment.
        if isFirstTitle { radio.changes.discardTags() }
        tell(.tags(tags), of: deck, after: isFirstTitle ? .zero : delay(of: deck))
    }

    /// The sound that is decoded from now on has another format, as in the next part of a chained stream.
    func changed(_ deck: PlayingDeck, to format: AudioFormat) {
        guard deck === current else {
            deck.facts?.format = format
            if deck === next { tellInfo(of: deck) }
            return
        }
        tell(.format(format), of: deck, after: delay(of: deck))
    }

    private func delay(of deck: PlayingDeck) -> Nanoseconds {
        deck.phase == .ready ? deck.queued + timeline.lead : .zero
    }

    private func tell(_ item: StreamChange.Item, of deck: PlayingDeck, after delay: Nanoseconds) {
        if delay < .milliseconds(300) || hearing.isUnpaced { return tell(item, of: deck) }
        radio.changes.add(StreamChange(due: clock.now + delay, play: deck.track.play, item: item))
    }

    private func tell(_ item: StreamChange.Item, of deck: PlayingDeck) {
        switch item {
        case .tags(let tags): emit(.streamTags(play: deck.track.play, tags))
        case .format(let format):
            deck.facts?.format = format
            tellInfo(of: deck)
        case .replayGain(let gain):
            deck.details.replayGain = gain
            deck.gain.target = self.gain(of: deck)
            if !deck.sound.wasTaken { deck.gain.jump() }
        }
    }

    /// The sound that is decoded from now on says how loud it is.
    func changed(_ deck: PlayingDeck, to gain: ReplayGain) {
        tell(.replayGain(gain), of: deck, after: deck === current && deck.sound.wasTaken ? delay(of: deck) : .zero)
    }

    private func tellNews(now: Nanoseconds) {
        guard let current else { return }
        let due = radio.changes.takeDue(of: current.track.play, at: now, isEnded: current.isEnded)
        due.forEach { tell($0, of: current) }
    }
}
