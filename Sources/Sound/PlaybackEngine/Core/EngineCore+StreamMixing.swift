import AudioFiles
import AudioOutputs
import Coordination
import MusicModel
import Playback

/// Mixing of streams, and of songs that a listener changes between: the current one fades in over those before it.
extension EngineCore {
    /// Mixes one block of the current stream and of stations that fade out; false if there is nothing to do now.
    func mixStream(_ deck: PlayingDeck) -> Bool {
        if deck.link.hasEnded, radio.switching.leaving.isEmpty { return goOver(from: deck) }
        let isUsable = deck.phase == .ready && !deck.isHeldBack(at: clock.now)
        if isUsable { deck.fill(frames: 4096) }
        if isUsable, let layout = deck.sound.layout { return isReadyToLeave(layout) && mixSound(of: deck, layout) }
        if isUsable, deck.isEnded {
            if isOver(deck), radio.switching.leaving.isEmpty { return goOver(from: deck) }
            renew(deck)
            return true
        }
        noteSilence(of: deck)
        // No more than is needed, so that the new station is heard as soon as it sounds.
        return timeline.lead < Self.shortLead && mixLeaving()
    }

    /// Mixes one block of a song that rises over the one that was left; false if there is nothing to do now.
    func mixSwitch(to deck: PlayingDeck) -> Bool {
        let isUsable = deck.phase == .ready && !deck.isHeldBack(at: clock.now)
        if isUsable { deck.fill(frames: 4096) }
        if isUsable, deck.isDoP, deck.sound.layout != nil { return cut(to: deck) }
        if isUsable, let layout = deck.sound.layout {
            let common = bringTogether(deck, layout)
            return isReadyToLeave(common) && mixSound(of: deck, common)
        }
        if isUsable, deck.isEnded {
            radio.switching.end().forEach(keepOrDiscard)
            return goOver(from: deck)
        }
        // No more than is needed, so that the new song is heard as soon as it sounds.
        return timeline.lead < Self.shortLead && mixLeaving()
    }

    /// Brings a song to the layout of those that fade out, or all of them to another one, as crossfades do.
    private func bringTogether(_ deck: PlayingDeck, _ layout: SampleLayout) -> SampleLayout {
        let others = radio.switching.leaving.map(\.deck)
        guard let other = others.compactMap(\.sound.layout).first, other != layout else { return layout }
        let common = songs.crossfade.layout(for: other, and: layout)
        for deck in others + [deck] { deck.sound.carry(common) }
        return common
    }

    /// How far ahead of hearing stations are mixed that only fade out.
    private static let shortLead: Nanoseconds = .milliseconds(100)

    /// True if those that fade out have their part of the next block, or will not have it.
    private func isReadyToLeave(_ layout: SampleLayout) -> Bool {
        let frames = layout.blockFrames(in: Self.blockLength)
        return radio.switching.leaving.allSatisfy { leaving in
            leaving.deck.fill(frames: frames)
            return leaving.deck.sound.waiting >= frames || hasNoMore(leaving.deck) || timeline.lead < Self.shortLead
        }
    }

    /// True if a track that fades out isn't waited for; a song whose decoder is late on a busy machine is.
    private func hasNoMore(_ deck: PlayingDeck) -> Bool {
        guard !deck.isStream, deck.phase == .ready else { return deck.queued < .milliseconds(100) }
        return deck.isExhausted
    }

    private func mixSound(of deck: PlayingDeck, _ layout: SampleLayout) -> Bool {
        soundIsThere(deck)
        guard var block = deck.sound.take(frames: layout.blockFrames(in: Self.blockLength)) else { return false }
        if deck.isStream { soundCame(deck) }
        level(&block, of: deck)
        if let rise = radio.switching.riseOn(by: block.duration) {
            block.change { Gain.apply(&$0, channels: layout.channels, from: rise.from, to: rise.to) }
        }
        addLeaving(to: &block)
        if radio.switching.takeStart() { timeline.place(.started(play: deck.track.play)) }
        deliver(block)
        return true
    }

    /// Tracks that fade out are heard also while the new one is still being opened.
    private func mixLeaving() -> Bool {
        guard let first = radio.switching.leaving.first else { return false }
        first.deck.fill(frames: 4096)
        guard let layout = first.deck.sound.layout else {
            if let silent = radio.switching.takeFirst() { keepOrDiscard(silent) }
            return true
        }
        let frames = layout.blockFrames(in: Self.blockLength)
        var block = SampleBlock(layout: layout, samples: [Float](repeating: 0, count: frames * layout.channels))
        if outputs.wantsPlainSamples { block.plainSamples = block.samples }
        (block.play, block.place) = (first.deck.track.play, first.deck.place)
        addLeaving(to: &block)
        deliver(block)
        return true
    }

    private func addLeaving(to block: inout SampleBlock) {
        let layout = block.layout
        for (deck, from, to) in radio.switching.fadeOn(by: block.duration) {
            var added = deck.takeAll(frames: block.frames, layout)
            if var mixed = block.plainSamples {
                var faded = added
                Gain.apply(&faded, channels: layout.channels, from: from, to: to)
                Gain.add(faded, to: &mixed)
                block.plainSamples = mixed
            }
            deck.gain.apply(to: &added, layout: layout)
            Gain.apply(&added, channels: layout.channels, from: from, to: to)
            Gain.add(added, to: &block.samples)
        }
        radio.switching.takeFaded().forEach(keepOrDiscard)
    }

    private func noteSilence(of deck: PlayingDeck) {
        let since = deck.link.silentSince ?? clock.now
        deck.link.silentSince = since
        // Opening takes its time, too.
        guard deck.link.hasSounded || clock.now - since > .seconds(1) else { return }
        _ = soundIsMissing(deck)
    }
}
