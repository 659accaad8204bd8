import Logging
package import MusicModel
import ServerLoop

extension Player {
    /// Position and options as they must be saved.
    package var savedPlayer: SavedPlayer {
        var saved = SavedPlayer()
        saved.state = machine.transport
        saved.position = machine.currentPosition
        saved.elapsed = machine.transport == .stop ? .zero : elapsed
        saved.options = machine.options
        saved.otherSpeed = speeds.other
        saved.outputs = engine.outputs.filter { !$0.isRemote }.map {
            SavedOutput(
                name: $0.name, isEnabled: $0.isEnabled, isMovedAway: $0.isMovedAway, attributes: $0.chosenAttributes)
        }
        return saved
    }

    /// Brings back a saved state; `lookUp` gives what is known of songs, nil for those that are gone, `resume` what
    /// becomes of one that was playing. A paused one is loaded only when a client continues with it.
    package func restore(
        _ queue: SavedQueue, _ player: SavedPlayer, resume: ResumePolicy, lookUp: (SongID) -> QueueCandidate?
    ) {
        for output in engine.outputs where !output.isRemote {
            guard let saved = player.outputs.first(where: { $0.name == output.name }) else { continue }
            if saved.isEnabled != output.isEnabled { engine.setOutput(output.id, enabled: saved.isEnabled) }
            if !output.isMovedAway { restore(saved.attributes, of: output) }
        }
        noticeOutputs()
        speeds.other = player.otherSpeed.flatMap { Self.speeds.contains($0) ? $0 : nil }
        let excess = perform { $0.restore(queue, player, resume: resume, lookUp: lookUp) }
        guard excess > 0 else { return }
        logger.warning(
            """
            \(excess) entries of the saved queue were left out: the addresses and tags in all queues take more than \
            \(settings.queueRoom.limit >> 20) MiB. A larger memory_budget in [server] has more room
            """)
    }

    private func restore(_ attributes: [String: String], of output: OutputStatus) {
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            do throws(OutputAttributeError) { try engine.setOutput(output.id, attribute: name, to: value) } catch {
                logger.notice("Output \"\(output.name)\" has no \(name) = \(value) any more; it plays without.")
            }
        }
    }
}
