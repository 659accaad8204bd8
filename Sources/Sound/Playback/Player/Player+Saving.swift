public import MusicModel
import ServerLoop

/// Saving and restoring.
extension Player {
    /// Position and options as they must be saved.
    public var savedPlayer: SavedPlayer {
        var saved = SavedPlayer()
        saved.state = machine.transport
        saved.position = machine.currentPosition
        saved.elapsed = machine.transport == .stop ? .zero : elapsed
        machine.options.save(to: &saved)
        saved.outputs = engine.outputs.filter { !$0.isRemote }.map {
            SavedOutput(name: $0.name, isEnabled: $0.isEnabled, isMovedAway: $0.isMovedAway)
        }
        return saved
    }

    /// Brings back a saved state; `lookUp` gives what is known of the songs, nil for those that are gone.
    ///
    /// `resume` says what becomes of a song that was playing. A paused one is shown at its place and loaded only when a
    /// client goes on with it.
    public func restore(
        _ queue: SavedQueue, _ player: SavedPlayer, resume: ResumePolicy, lookUp: (SongID) -> QueueCandidate?
    ) {
        for output in engine.outputs where !output.isRemote {
            guard let saved = player.outputs.first(where: { $0.name == output.name }),
                saved.isEnabled != output.isEnabled
            else { continue }
            engine.setOutput(output.id, enabled: saved.isEnabled)
        }
        noticeOutputs()
        perform { $0.restore(queue, player, resume: resume, lookUp: lookUp) }
        applyOptions()
    }
}
