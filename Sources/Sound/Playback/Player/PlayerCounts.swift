import MusicModel

/// Counts the faults of playing since the start.
package struct PlaybackFaults: Hashable, Sendable {
    /// The current song had to wait for its sound.
    package var stalls = 0
    /// A station was not heard for a while and is connected again.
    package var interruptions = 0
    /// A song or a station could not be played.
    package var failures = 0

    mutating func note(_ event: AudioEngineEvent) {
        switch event {
        case .buffering(_, true): stalls += 1
        case .interrupted(_, .some): interruptions += 1
        case .failed: failures += 1
        default: break
        }
    }
}

struct ChangeCounts: Hashable, Sendable {
    private(set) var queue: UInt64 = 0
    /// Changes of options or transport, and of what goes with the queue.
    private(set) var player: UInt64 = 0

    /// Counts the changes that clients are told of; that sound is waited for is nothing to be saved.
    mutating func note(_ changes: Subsystem) {
        guard changes != .buffering else { return }
        if changes.contains(.queue) { queue += 1 }
        // Positions move with the queue, so the saved player is outdated as well.
        player += 1
    }

    mutating func notePlayer() { player += 1 }
}
