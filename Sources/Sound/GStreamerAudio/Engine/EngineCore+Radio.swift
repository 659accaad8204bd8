import MusicModel
import Playback

/// Switching between stations, and keeping those ready that may be next.
extension EngineCore {
    // MARK: Switching

    /// Plays a stream in place of what plays; false if the track is none.
    ///
    /// A station that is ready sounds at once. If another one is heard, they overlap.
    func startStation(_ track: EngineTrack, at position: Int64, isPaused: Bool) -> Bool {
        guard let url = track.streamURL else { return false }
        hear()
        let length = radio.settings.crossfade.nanoseconds
        let overlaps = length > 0 && !isPaused && !self.isPaused && current?.isSounding == true
        if overlaps { leave(over: length) } else { exchange() }
        let back = overlaps ? takeLeaving(url) : nil
        let deck =
            back?.deck ?? takeReady(url, at: position) ?? PlayingDeck(id: decks.newID(), track: track, target: position)
        discard(songs.takeNext())
        songs.play(deck)
        deck.track = track
        deck.gain = GainRamp(gain(of: deck))
        deck.link.begin(at: Monotonic.now)
        // A station that was opened beside a song, say, has its own rate.
        if overlaps { deck.sound.carry(radio.leaving.last?.deck.sound.lastLayout) }
        let rise = back?.fade.reversed ?? StationFade(length: length)
        (radio.rise, radio.awaitsStart, radio.news) = (overlaps ? rise : nil, true, [])
        hearing.expect(track.play, at: position)
        setPaused(isPaused)
        if back == nil { wake(deck) } else { introduce(deck) }
        show()
        return true
    }

    /// Lets the current station fade out, from what is heard now on.
    private func leave(over length: Int64) {
        tellProgress()
        var lead = timeline.lead
        lead = max(0, lead - silence())
        let rise = radio.rise
        for deck in [current].compactMap(\.self) + radio.leaving.map(\.deck) { deck.sound.rewind(lead) }
        for index in radio.leaving.indices { radio.leaving[index].fade.move(by: -lead) }
        if let current {
            var reached = rise ?? StationFade(length: length, from: length)
            reached.move(by: rise == nil ? 0 : -lead)
            closeRelief(of: current)
            radio.leaving.append(LeavingStation(deck: current, fade: reached.reversed))
        }
        // Who changes stations faster than they fade hears the last ones.
        while radio.leaving.count > 2 { keepOrDiscard(radio.leaving.removeFirst().deck) }
        discard(songs.confirmJoin())
        _ = songs.endFade()
        songs.withdrawEnd()
        hearing.restartProgress(timeline.heard)
    }

    /// Discards what plays; a station is put aside, since it may be wanted as a neighbour.
    private func exchange() {
        if current?.isSounding == true, let left = songs.takeCurrent() {
            closeRelief(of: left)
            discard(radio.putAside(left, at: Monotonic.now))
            tellProgress()
        }
        stopCurrent()
    }

    /// Takes a stream that is ready, or is prepared to join on.
    private func takeReady(_ url: String, at position: Int64) -> PlayingDeck? {
        guard position == 0 else { return nil }
        if let next, next.track.streamURL == url, next.phase == .ready || next.phase == .opening {
            return songs.takeNext()
        }
        guard let index = radio.ready.firstIndex(where: { $0.track.streamURL == url }) else { return nil }
        let deck = radio.ready.remove(at: index)
        deck.reset(to: 0)
        return deck
    }

    /// Brings a station to where its sound can be mixed.
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

    /// Tells what is known of a station that is open already.
    private func introduce(_ deck: PlayingDeck) {
        if deck.facts != nil { tellInfo(of: deck) }
        if !deck.link.tags.isEmpty { emit(.streamTags(play: deck.track.play, deck.link.tags)) }
    }

    /// Takes back a station that fades out, for who changes his mind; it rises from as loud as it is.
    private func takeLeaving(_ url: String) -> LeavingStation? {
        let index = radio.leaving.lastIndex { $0.deck.track.streamURL == url && $0.deck.phase == .ready }
        guard let index, radio.leaving[index].deck !== current else { return nil }
        let back = radio.leaving.remove(at: index)
        back.deck.sound.restartCount()
        return back
    }

    /// Ends what fades out.
    func stopStations() {
        let decks = radio.leaving.map(\.deck)
        radio.leaving = []
        (radio.rise, radio.awaitsStart, radio.news) = (nil, false, [])
        decks.forEach(keepOrDiscard)
    }

    /// Ends all that is kept ready.
    func closeStations() {
        stopStations()
        keepReady([])
    }

    // MARK: Neighbours

    /// Keeps these streams ready and no others.
    func keepReady(_ urls: [String]) {
        // Stations that only wait for their turn are a cache.
        let urls = decks.isMemoryTight ? [] : urls
        radio.wanted = urls
        if let left = radio.takeLeft() { keepOrDiscard(left) }
        let before = radio.ready
        radio.ready = before.filter(isWanted)
        before.filter { !isWanted($0) }.forEach(discard)
        for url in urls where !radio.decks.contains(where: { $0.track.streamURL == url }) {
            radio.ready.append(
                PlayingDeck(id: decks.newID(), track: EngineTrack(play: 0, source: .stream(url: url)), target: 0))
        }
    }

    private func isWanted(_ deck: PlayingDeck) -> Bool { deck.track.streamURL.map(radio.wanted.contains) ?? false }

    /// A station that was left: it is kept ready if that is wanted.
    func keepOrDiscard(_ deck: PlayingDeck) {
        let isKept = radio.ready.contains { $0.track.streamURL == deck.track.streamURL }
        guard isWanted(deck), !isKept, deck.phase == .ready, deck.breakage == nil else { return discard(deck) }
        deck.track.play = 0
        deck.reset(to: 0)
        deck.sound.carry(nil)
        deck.link.begin(at: Monotonic.now)
        deck.deck?.pipeline?.setResting(true, isEndless: deck.isEndless)
        radio.ready.append(deck)
    }

    /// Takes the place of a stream that joins on to a song with the same one that is ready, if there is one.
    func joinReady(_ joining: PlayingDeck) -> Bool {
        let index = radio.ready.firstIndex {
            $0.track.streamURL == joining.track.streamURL && $0.phase != .fetching && $0.breakage == nil
        }
        guard let index, joining.sound.target == 0 else { return false }
        let deck = radio.ready.remove(at: index)
        deck.track = joining.track
        deck.gain = joining.gain
        deck.reset(to: 0)
        songs.exchangeNext(for: deck)
        wake(deck)
        return true
    }

    /// Opens neighbours that aren't, once what plays has what it needs.
    func superviseReady(now: Int64) {
        guard let current, current.isStream ? current.link.hasSounded : current.sound.wasTaken else { return }
        for deck in radio.ready {
            let isJoining = next?.track.streamURL == deck.track.streamURL && next?.phase != .fetching
            let isDue = deck.phase == .fetching && deck.link.retryAt ?? 0 <= now && !current.shortage.isTold
            if isDue, !isJoining { openStream(deck) }
            if deck.phase == .opening, now - deck.link.openedAt > radio.settings.timeout.nanoseconds {
                connectionEnded(deck, StreamFailure(message: "no sound came in time"))
            }
        }
    }
}

extension EngineTrack {
    /// The stream's URL; nil for a song of the library.
    var streamURL: String? { if case .stream(let url) = source { url } else { nil } }
}
