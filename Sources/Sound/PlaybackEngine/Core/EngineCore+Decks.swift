import Coordination
import MusicModel
import Outputs
import Playback

extension EngineCore {
    func find(_ id: Int) -> PlayingDeck? { songs.decks.first { $0.id == id } ?? radio.decks.first { $0.id == id } }

    func opened(_ id: Int, _ result: Result<TrackFile, TrackError>) {
        guard let deck = find(id), deck.phase == .fetching else { return }
        switch result {
        case .success(let file):
            deck.file = file
            open(deck)
        case .failure(let error): fail(deck, error.message)
        }
    }

    /// Asks once for a song that can't be decoded here as its server converts it; false where that is of no use.
    private func fetchConverted(_ deck: PlayingDeck, _ problem: String) -> Bool {
        guard case .song(let song) = deck.track.source, deck.file?.isConverted == false, deck.facts == nil else {
            return false
        }
        decks.close(deck.deck)
        (deck.id, deck.phase, deck.deck, deck.file) = (decks.newID(), .fetching, nil, nil)
        decks.fetch(song, for: deck.id, undecodable: problem)
        return true
    }

    /// Handles the news of a deck; a stale number means a deck that was closed.
    func handle(_ id: Int, _ event: DeckEvent) {
        if handleRelief(id, event) { return }
        guard let deck = find(id) else { return }
        switch event {
        case .ready(let facts): becomeReady(deck, facts)
        case .broken(let failure): broken(deck, failure)
        case .received: received(deck)
        case .failed(let message, let isUndecodable):
            if deck.phase == .ready {
                deck.breakage = deck.breakage ?? StreamFailure(message: message)
            } else if !isUndecodable || !fetchConverted(deck, message) {
                fail(deck, message)
            }
        case .seeked(let number, let isDone): seeked(deck, number, isDone)
        case .tags(let tags): named(deck, tags)
        case .format(let format): changed(deck, to: format)
        case .bitRate(let rate):
            deck.details.bitRate = rate
            if deck.facts != nil { tellInfo(of: deck) }
        case .gone: break
        case .mixRamp(let tags): deck.details.mixRamp = tags
        case .replayGain(let gain): changed(deck, to: gain)
        }
    }

    func becomeReady(_ deck: PlayingDeck, _ facts: DeckFacts) {
        deck.facts = facts
        deck.phase = .ready
        if !facts.isSeekable, !deck.link.hasSounded { deck.sound.target = .zero }
        if deck.isStream { streamIsReady(deck, facts) }
        if deck !== outgoing { tellInfo(of: deck) }
        answerSeek(deck, at: deck.sound.target)
        // Outputs may have changed while it was opened.
        if facts.format?.sample == .dsd { reviewDSD() }
    }

    private func seeked(_ deck: PlayingDeck, _ number: Int, _ isDone: Bool) {
        guard deck.phase == .seeking(number: number) else { return }
        deck.phase = .ready
        if !isDone {
            deck.fill(frames: 1)
            deck.sound.target = deck.place
        }
        answerSeek(deck, at: deck.place)
    }

    private func answerSeek(_ deck: PlayingDeck, at place: Nanoseconds) {
        guard let target = deck.soughtTarget else { return }
        deck.soughtTarget = nil
        emit(.seeked(play: deck.track.play, target: target, elapsed: place.duration))
    }

    func tellInfo(of deck: PlayingDeck) {
        if deck.file?.isConverted == true { emit(.converted(play: deck.track.play)) }
        emit(
            .info(
                play: deck.track.play, format: deck.facts?.format,
                duration: deck.facts?.duration == nil ? nil : deck.duration.map(\.duration),
                bitRate: deck.details.bitRate ?? Self.averageRate(deck)))
    }

    private static func averageRate(_ deck: PlayingDeck) -> Int? {
        let whole = deck.facts?.duration ?? (deck.track.range == nil ? deck.duration : nil)
        guard let bytes = deck.file?.current.total, let duration = whole, duration > .zero else { return nil }
        return Int(saturating: (Double(bytes) * 8 / 1000 / duration.seconds).rounded())
    }

    func fail(_ deck: PlayingDeck, _ message: String) {
        deck.phase = .failed
        if deck === next {
            emit(.failed(play: deck.track.play, message: message))
            discard(songs.prepare(nil))
        } else if deck === current, deck.sound.wasTaken, timeline.lead > .zero {
            timeline.place(.failed(play: deck.track.play, message: message))
            songs.end()
        } else if deck === current {
            failCurrent(deck.track.play, message)
        }
    }

    func failCurrent(_ play: UInt64, _ message: String) {
        stopCurrent()
        discard(songs.takeNext())
        hearing.expectNothing()
        show()
        emit(.failed(play: play, message: message))
    }
}

extension EngineCore {
    func tagged(_ source: EngineTrack.Source, _ tags: [TagValue]) {
        for deck in songs.decks where deck.track.source == source { deck.details.tags = tags }
    }

    func deck(of play: UInt64) -> PlayingDeck? {
        let decks = songs.decks + radio.switching.leaving.map(\.deck)
        return decks.first { $0.track.play == play }
    }

    func tags(of deck: PlayingDeck) -> [TagValue] {
        deck.isStream ? deck.link.tags : deck.track.sheetTags.completed(by: deck.details.tags)
    }
}
