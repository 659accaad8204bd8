import AudioOutputs
import Coordination
import MusicModel
import Playback

/// Switching between stations, and keeping those ready that may be next.
extension EngineCore {
    /// Plays a stream in place of what plays, at once if it is ready; false if the track is none. Stations overlap.
    func startStation(_ track: EngineTrack, at position: Nanoseconds, isPaused: Bool) -> Bool {
        guard let url = track.streamURL else { return false }
        hear()
        let length = Nanoseconds(radio.settings.stations.crossfade)
        let overlaps = length > .zero && !isPaused && !self.isPaused && current?.isSounding == true
        if overlaps { fadeOut(over: length) } else { exchange() }
        let back = overlaps ? radio.switching.takeBack(url, unless: current) : nil
        let deck =
            back?.deck ?? takeReady(url, at: position) ?? makeDeck(track, target: position)
        discard(songs.takeNext())
        songs.play(deck)
        deck.track = track
        deck.gain = GainRamp(gain(of: deck))
        deck.link.begin(at: clock.now)
        // A station that was opened while a song played, say, has its own rate.
        if overlaps { deck.sound.carry(radio.switching.leaving.last?.deck.sound.lastLayout) }
        let rise = back?.fade.reversed ?? TrackFade(length: length)
        radio.switching.begin(overlaps ? rise : nil)
        radio.changes.discardAll()
        hearing.expect(track.play, at: position)
        setPaused(isPaused)
        if back == nil { wake(deck) } else { introduce(deck) }
        show()
        return true
    }

    private func fadeOut(over length: Nanoseconds) {
        tellProgress()
        let lead = timeline.lead
        let unheard = max(.zero, lead - silence())
        if let current { closeRelief(of: current) }
        radio.switching.fadeOut(current, over: length, takingBack: unheard).forEach(keepOrDiscard)
        discard(songs.confirmJoin())
        _ = songs.endFade()
        songs.withdrawEnd()
        hearing.restartProgress(timeline.heard)
    }

    /// Discards what plays; a station is put aside, since it may be wanted as a neighbour.
    private func exchange() {
        if current?.isSounding == true, let left = songs.takeCurrent() {
            closeRelief(of: left)
            discard(radio.neighbours.putAside(left, at: clock.now))
            tellProgress()
        }
        stopCurrent()
    }

    private func takeReady(_ url: String, at position: Nanoseconds) -> PlayingDeck? {
        guard position == .zero else { return nil }
        if let next, next.track.streamURL == url, next.phase == .ready || next.phase == .opening {
            return songs.takeNext()
        }
        let deck = radio.neighbours.take(url)
        deck?.reset(to: .zero)
        return deck
    }

    private func wake(_ deck: PlayingDeck) {
        switch deck.phase {
        case .fetching, .failed, .discarded:
            decks.close(deck.deck)
            deck.deck = nil
            openStream(deck)
        case .opening, .seeking: break
        case .ready:
            deck.deck?.pipeline?.setResting(false, isEndless: deck.isEndless)
            if deck.isEndless { deck.sound.skipStale() }
            introduce(deck)
        }
    }

    private func introduce(_ deck: PlayingDeck) {
        if deck.facts != nil { tellInfo(of: deck) }
        if !deck.link.tags.isEmpty { emit(.streamTags(play: deck.track.play, deck.link.tags)) }
    }

    func stopStations() {
        radio.changes.discardAll()
        radio.switching.end().forEach(keepOrDiscard)
    }

    func closeStations() {
        stopStations()
        keepReady([])
    }

    func keepReady(_ urls: [String]) {
        // Stations that only wait for their turn are a cache.
        let urls = decks.isMemoryTight ? [] : urls
        let others = radio.switching.leaving.map(\.deck)
        radio.neighbours.keep(urls, besides: others, at: clock.now) { url in
            makeDeck(EngineTrack(play: 0, source: .stream(url: url)), target: .zero)
        }.forEach(discard)
    }

    /// Closes a station that was played, unless it is to be kept ready.
    func keepOrDiscard(_ deck: PlayingDeck) { discard(radio.neighbours.admit(deck, at: clock.now)) }

    /// Takes the place of a stream that joins on to a song with the same one that is ready, if there is one.
    func joinReady(_ joining: PlayingDeck) -> Bool {
        guard joining.sound.target == .zero, let deck = radio.neighbours.takeConnected(joining.track.streamURL) else {
            return false
        }
        deck.track = joining.track
        deck.gain = joining.gain
        deck.reset(to: .zero)
        songs.exchangeNext(for: deck)
        wake(deck)
        return true
    }

    /// Opens neighbours that aren't, once what plays has what it needs.
    func superviseReady(now: Nanoseconds) {
        guard let current, current.isStream ? current.link.hasSounded : current.sound.wasTaken else { return }
        if !current.shortage.isTold { radio.neighbours.due(at: now, unless: next).forEach(openStream) }
        for deck in radio.neighbours.overdue(at: now, patience: Nanoseconds(radio.settings.stations.timeout)) {
            connectionEnded(deck, StreamFailure(message: "no sound came in time"))
        }
    }
}

extension EngineTrack {
    var streamURL: String? { if case .stream(let url) = source { url } else { nil } }
}
