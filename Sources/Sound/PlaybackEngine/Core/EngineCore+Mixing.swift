import AudioFiles
import AudioOutputs
import Coordination
import MusicModel
import Playback

extension EngineCore {
    /// With less than this ahead of hearing, more is mixed in one go; a device's buffer must not hold silence.
    var minLead: Nanoseconds { hearing.isUnpaced ? .milliseconds(500) : max(.milliseconds(200), outputs.maxBuffer) }
    private var fullLead: Nanoseconds { hearing.isUnpaced ? minLead : minLead + .milliseconds(300) }

    /// The longest block: what outputs that go by the clock write at a time.
    static let blockLength: Nanoseconds = .milliseconds(40)

    func mix() {
        guard !isPaused else { return }
        openNextStream()
        guard timeline.lead < minLead else {
            return outputs.give(heard: hearing.due(timeline), limit: timeline.produced)
        }
        mix(ahead: fullLead)
    }

    func mix(ahead length: Nanoseconds) {
        while timeline.lead < length, !isAtEnd, let current {
            let isUrgent = timeline.lead < Self.urgentLead
            guard mixBlock(current) else { break }
            // Decoding what follows may take longer than what is left plays, on a slow or busy machine.
            if isUrgent { outputs.give(heard: hearing.due(timeline), limit: timeline.produced) }
        }
        outputs.give(heard: hearing.due(timeline), limit: timeline.produced)
    }

    /// With less than this ahead, each block is given to the outputs before the next is mixed.
    private static let urgentLead: Nanoseconds = .milliseconds(100)

    private func openNextStream() {
        guard let next, next.isStream, next.phase == .fetching, next.link.retryAt ?? .zero <= clock.now,
            let current
        else { return }
        let left = current.isEnded ? .zero : current.duration.map { $0 - current.place } ?? .max
        if left < .seconds(8), !joinReady(next) { open(next) }
    }

    /// Mixes one block, or goes over to the next track; false if there is nothing to do now.
    private func mixBlock(_ deck: PlayingDeck) -> Bool {
        if deck.isStream { return mixStream(deck) }
        if radio.switching.isUnderWay { return mixSwitch(to: deck) }
        guard deck.phase == .ready, !deck.isHeldBack(at: clock.now) else { return false }
        deck.fill(frames: 4096)
        if let stretch = deck.stretch, songs.fade == nil {
            stretch.glideBack()
            return mixStretched(deck, frames: stretch.blockFrames(in: Self.blockLength))
        }
        guard let layout = deck.sound.layout else { return deck.isEnded ? goOver(from: deck) : soundIsMissing(deck) }
        if gapWasHeard(deck), deck.isHeldBack(at: clock.now) { return false }
        soundIsThere(deck)
        let wanted = beginFade(deck, layout, layout.blockFrames(in: Self.blockLength))
        if let fade = songs.fade { return mixFade(fade, deck, wanted) }
        guard var block = deck.sound.take(frames: wanted) else { return false }
        level(&block, of: deck)
        deliver(block)
        return true
    }

    func level(_ block: inout SampleBlock, of deck: PlayingDeck) {
        block.play = deck.track.play
        guard !deck.isDoP else { return }
        let own = block.integers
        if outputs.wantsPlainSamples { block.plainSamples = block.samples }
        block.isLevelled = !deck.gain.isUnity
        deck.gain.apply(to: &block.samples, layout: block.layout)
        if !block.isLevelled || block.plainSamples != nil { block.integers = own }
    }

    func deliver(_ block: SampleBlock) {
        let deck = deck(of: block.play)
        guard deck?.isStream != true, deck?.isDoP != true else { return append(block, of: deck) }
        if speed.mustFinish(before: block) { deliverRest(play: block.play, place: block.place) }
        if let block = speed.process(block) { append(block, of: deck) }
    }

    /// Gives the outputs what the change of speed holds back where the sound ends, or continues otherwise.
    private func deliverRest(play: UInt64, place: Nanoseconds) {
        guard let block = speed.finish(play: play, place: place) else { return }
        append(block, of: deck(of: play))
    }

    private func append(_ block: SampleBlock, of deck: PlayingDeck?) {
        var block = block
        block.start = timeline.append(
            play: block.play, position: max(.zero, block.place), duration: block.duration, speed: block.speed)
        (block.tags, block.isDoP) = (deck.map(tags) ?? [], deck?.isDoP ?? false)
        if loudness.isOn, !block.isDoP { block.gain = deck?.gain.target }
        block.source = deck?.facts?.format?.sample ?? .unknown
        outputs.append(block)
    }

    // MARK: Missing sound

    /// With less left than that, outputs may run dry before they have the next block.
    private static let scarceLead: Nanoseconds = .milliseconds(20)

    /// A track has no sound for the next block; tells the player once that is heard, and is false so that mixing ends.
    func soundIsMissing(_ deck: PlayingDeck) -> Bool {
        if deck.shortage.lasts(at: clock.now, patience: .milliseconds(150), isHeard: timeline.lead == .zero) {
            tellWait(for: deck)
        }
        if !deck.isStream, deck.hasCeased {
            deck.breakage = deck.breakage ?? StreamFailure(message: DeckPipeline.breakage)
        }
        return false
    }

    /// Tells the player that a track's sound is waited for; the outputs, which run dry meanwhile, aren't to blame.
    func tellWait(for deck: PlayingDeck) {
        emit(.buffering(play: deck.track.play, true))
        outputs.noteWait()
    }

    func soundIsThere(_ deck: PlayingDeck) {
        if let since = deck.shortage.since { outputs.noteShortage(clock.now - since) }
        gapWasHeard(deck)
        if deck.shortage.ends() { emit(.buffering(play: deck.track.play, false)) }
    }

    /// Tells the player of a gap that ended before that was due; then enough of the song is waited for.
    @discardableResult
    private func gapWasHeard(_ deck: PlayingDeck) -> Bool {
        guard deck.shortage.wasHeard(timeline.lead < Self.scarceLead) else { return false }
        tellWait(for: deck)
        return true
    }

    // MARK: Joining

    /// The current track has given all its sound: the next one continues, or the end is marked.
    func goOver(from deck: PlayingDeck) -> Bool {
        if let cause = deck.cause ?? (deck.sound.wasTaken ? nil : "it holds no sound") {
            fail(deck, cause)
            return false
        }
        guard let next else { return end(deck) }
        guard next.phase == .ready else { return waitForNext(next, behind: deck) }
        next.fill(frames: 1)
        guard next.sound.layout != nil || next.stretch != nil else {
            guard next.isEnded else { return waitForNext(next, behind: deck) }
            fail(next, next.cause ?? "it holds no sound")
            return true
        }
        if next.isDoP { deliverRest(play: deck.track.play, place: deck.place) }
        discard(songs.join())
        timeline.place(.started(play: next.track.play))
        return true
    }

    /// Nothing joins on to the current track; false, so that mixing ends.
    private func end(_ deck: PlayingDeck) -> Bool {
        deliverRest(play: deck.track.play, place: deck.place)
        timeline.place(.finished(play: deck.track.play))
        songs.end()
        return false
    }

    private func waitForNext(_ next: PlayingDeck, behind deck: PlayingDeck) -> Bool {
        let now = clock.now
        if next.shortage.lasts(at: now, patience: .zero, isHeard: timeline.lead == .zero) { tellWait(for: next) }
        // A station that can't be had, or takes its time, is for the player to begin: with the troubles, the patience
        // and the end that stations have which are played.
        guard next.isStream, timeline.lead == .zero, let since = next.shortage.since,
            next.link.failure != nil || now - since > Self.patienceWithStream
        else { return false }
        return end(deck)
    }

    /// How late a stream that joins on may be.
    private static let patienceWithStream: Nanoseconds = .seconds(2)

    /// The join has been mixed but not heard, and what follows is not wanted any more: the track before continues.
    func callOffJoin() {
        endFade()
        guard let unwanted = songs.callOff(), let before = current else { return }
        let place = timeline.playing?.position
        let join = timeline.start(of: unwanted.track.play)
        discard(unwanted)
        if !songs.isJoinFaded, let join, withdraw(from: join) { return }
        // Sound that is written already can't be taken back; the track continues behind that.
        let written = silence()
        guard let place, before.isSeekable else { return }
        move(before, to: place + written)
    }

    /// Discards what is mixed behind a position that is not heard yet; false if an output has taken some of it already.
    private func withdraw(from place: Nanoseconds) -> Bool {
        guard place > timeline.heard, outputs.withdraw(from: place) else { return false }
        timeline.cut(from: place)
        speed.reset()
        return true
    }

    // MARK: Crossfade

    /// Begins to overlap the songs once it is time, and says how many of the frames wanted go before that.
    private func beginFade(_ deck: PlayingDeck, _ layout: SampleLayout, _ wanted: Int) -> Int {
        guard songs.fade == nil, songs.crossfade.seconds > 0, let next, next.phase == .ready, !deck.isStream,
            !next.isStream, !next.track.followsOnAlbum, !deck.isDoP, !next.isDoP,
            let length = deck.duration, let overlap = songs.crossfade.overlap(of: song(deck), and: song(next))
        else { return wanted }
        // The song that ends would wait for the one that begins; until that is there it sounds alone.
        guard next.hasArrived(upTo: overlap.length + .seconds(1)) else { return wanted }
        let match = beatMatch(deck, next, overlap, duration: length)
        let left = layout.frames(in: length - deck.place)
        let before = left - layout.frames(in: match?.length ?? overlap.length)
        if before < layout.rate { deck.sound.expectCarrying() }
        guard before < wanted else { return wanted }
        next.fill(frames: 4096)
        guard let other = next.sound.layout, layout.overlaps(other) else { return wanted }
        if before > 0 { return before }
        guard left > layout.rate / 10 else { return wanted }
        let common = songs.crossfade.layout(for: layout, and: other)
        deck.sound.carry(common)
        next.sound.carry(common)
        let frames = common.frames(in: layout.length(frames: left))
        songs.beginFade(Fade(frames: frames, isPlain: overlap.isPlain))
        // A seek into the overlap lands on different beats.
        if let match, before > -layout.rate / 1000 {
            next.stretch = BeatStretch(speed: match.speed, common, at: next.place)
        }
        return wanted
    }

    private func song(_ deck: PlayingDeck) -> CrossfadeSettings.Song {
        CrossfadeSettings.Song(
            duration: deck.duration, mixRamp: deck.mixRamp, gain: loudness.decibels(for: deck.replayGain))
    }

    private func mixFade(_ fade: Fade, _ deck: PlayingDeck, _ wanted: Int) -> Bool {
        guard let next, let layout = deck.sound.layout else { return false }
        next.fill(frames: wanted)
        guard let rising = next.takeRising(frames: wanted, layout) else {
            if next.phase == .ready, next.isEnded { return songs.endFade() }
            return soundIsMissing(next)
        }
        soundIsThere(next)
        guard var block = deck.sound.take(frames: rising.count / layout.channels) else {
            next.putBackRising(rising, layout)
            return false
        }
        let used = Array(rising[..<block.samples.count])
        if used.count < rising.count { next.putBackRising(Array(rising[used.count...]), layout) }
        if outputs.wantsPlainSamples { block.plainSamples = fade.mix(block.samples, used, layout) }
        var (before, after) = (block.samples, used)
        deck.gain.apply(to: &before, layout: layout)
        next.gain.apply(to: &after, layout: layout)
        block.samples = fade.mix(before, after, layout)
        block.play = deck.track.play
        songs.fadeOn(frames: block.frames)
        deliver(block)
        return true
    }

    /// Calls a crossfade off; the next track starts over when its turn comes.
    func abandonFade() {
        guard songs.endFade(), let next else { return }
        reposition(next, to: .zero)
        next.sound.carry(nil)
    }
}
