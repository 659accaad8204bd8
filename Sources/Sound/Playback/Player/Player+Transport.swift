package import MusicModel
import ServerLoop

/// Play, pause, stop, next, previous and seek.
/// - Source: MPD v0.24.13 src/queue/PlaylistControl.cxx, src/command/PlayerCommands.cxx.
extension Player {
    /// Plays the entry at `position`, or continues / starts when nil.
    package func play(position: Int?) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.play(position: position) }
    }

    /// Plays the entry with an id, or continues / starts when nil.
    package func play(id: QueueEntryID?) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.play(id: id) }
    }

    /// Pauses, continues, or toggles when nil.
    package func pause(_ isPaused: Bool?) { perform { $0.pause(isPaused) } }
    /// Stops; the song stays current.
    package func stop() { perform { $0.stop() } }
    /// Goes to the next song; behind the last one playback stops and no song is current.
    package func next() throws(PlayerError) { try attempt { machine throws(PlayerError) in try machine.next() } }

    /// Goes to the song before; the first one starts again, or the last one plays when repeating.
    package func previous() throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.previous() }
    }

    /// Seeks in the entry at a position, which plays then unless the player was paused.
    package func seek(position: Int, to time: Duration) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.seek(position: position, to: time) }
    }

    /// Plays the entry from a position in it.
    package func seek(id: QueueEntryID, to time: Duration) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.seek(id: id, to: time) }
    }

    /// Seeks in the current song; `isRelative` adds to its position. Behind the end is the next song.
    package func seekCurrent(to time: Duration, isRelative: Bool) throws(PlayerError) {
        let target = isRelative ? elapsed + time : time
        try attempt { machine throws(PlayerError) in try machine.seekCurrent(to: target) }
    }

    /// Makes an entry the current one, paused at a time and loaded when a client continues; nothing while music plays.
    package func cue(id: QueueEntryID, at time: Duration) throws(PlayerError) {
        try attempt { machine throws(PlayerError) in try machine.cue(id: id, at: time) }
    }

    /// Shows a sentence as `error` until something plays or a client clears it.
    package func tellProblem(_ sentence: String) { perform { $0.setError(sentence) } }
    /// Clears what `status` shows as `error`.
    package func clearError() { perform { $0.clearError() } }
}
