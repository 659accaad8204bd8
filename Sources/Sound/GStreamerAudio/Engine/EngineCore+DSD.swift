import Coordination
import MusicModel
import Playback

/// One-bit sound, which goes to the outputs as DoP if all of them take it so, and else is decoded.
extension EngineCore {
    /// The outputs have changed: one-bit sound that they take otherwise now is opened anew, at the place that is heard.
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
            move(deck, to: timeline.playing?.position ?? deck.place)
        }
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
    /// Whether it was opened for outputs that take its sound otherwise than these.
    fileprivate func isStale(for outputs: DoPAcceptance) -> Bool {
        guard phase == .ready, let format = facts?.format, format.sample == .dsd else { return false }
        return outputs.takes(format) != isDoP
    }
}
