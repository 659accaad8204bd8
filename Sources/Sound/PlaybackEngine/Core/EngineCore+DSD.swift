import AudioOutputs
import Coordination
import MusicModel
import Playback

/// One-bit sound, which goes to the outputs as DoP if all of them take it so, and else is decoded.
extension EngineCore {
    /// The outputs have changed: one-bit sound that they take differently is reopened at the position that is heard.
    func reviewDSD() {
        let outputs = outputs.acceptedDoP
        for deck in [next, current].compactMap(\.self) where deck.isStale(for: outputs) {
            deck.isToReopen = true
            guard deck === current else {
                reposition(deck, to: .zero)
                continue
            }
            if outgoing != nil, timeline.awaitsStart(of: deck.track.play) {
                callOffJoin()
                continue
            }
            abandonFade()
            if isAtEnd, timeline.withdrawEnd() { songs.withdrawEnd() }
            if !goOnBehindTaken(deck, outputs) { move(deck, to: timeline.playing?.position ?? deck.place) }
        }
    }

    /// Reopens a track behind the sound that outputs have taken, which is heard to its end; false where that can't be
    /// done, or an output has played silence in place of it.
    private func goOnBehindTaken(_ deck: PlayingDeck, _ acceptance: DoPAcceptance) -> Bool {
        guard let format = deck.facts?.format, !acceptance.wasRefused(format), timeline.isSounding,
            fading.goal == nil, speed.speed == 1, !radio.switching.isUnderWay, songs.fade == nil, !deck.wasStretched
        else { return false }
        let before = timeline.produced
        timeline.cut(from: outputs.withdrawUntaken(heard: timeline.heard) ?? before)
        reposition(deck, to: max(.zero, deck.place - (before - timeline.produced)))
        return true
    }

    /// A song comes as DoP while others fade out: what is no sound can't be mixed with them, so they end.
    func cut(to deck: PlayingDeck) -> Bool {
        let isStarting = radio.switching.awaitsStart
        radio.switching.end().forEach(keepOrDiscard)
        if isStarting { timeline.place(.started(play: deck.track.play)) }
        return true
    }
}

extension PlayingDeck {
    /// True if it was opened for outputs that take its sound otherwise than these.
    fileprivate func isStale(for outputs: DoPAcceptance) -> Bool {
        guard phase == .ready, let facts, let format = facts.format, format.sample == .dsd else { return false }
        return (facts.fitsDoP && outputs.takes(format)) != isDoP
    }
}
