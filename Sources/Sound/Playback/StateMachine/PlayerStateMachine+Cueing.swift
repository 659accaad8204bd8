package import MusicModel
import ServerLoop

/// Going on with what another player played.
extension PlayerStateMachine {
    /// Makes an entry the current one, paused at a time; it is loaded only when a client continues with it. Nothing
    /// happens while music plays.
    mutating func cue(id: QueueEntryID, at time: Duration) throws(PlayerError) {
        let target = try requirePosition(of: id)
        guard transport != .play else { return }
        halt()
        forgetError()
        current = ordering.order.index(of: target)
        if ordering.order.isRandom { reshuffle(first: id) }
        current = index(of: id)
        transport = .pause
        stand(at: time)
        changed(.player)
        refreshNext()
    }
}

extension Player {
    /// Makes an entry the current one, paused at a time; it is loaded only when a client continues with it. Nothing
    /// happens while music plays.
    package func cue(id: QueueEntryID, at time: Duration) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.cue(id: id, at: time) }
    }
}
