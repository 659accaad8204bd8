/// Counts the faults of playing since the start.
package struct PlaybackFaults: Hashable, Sendable {
    /// The current song had to wait for its sound.
    package var stalls = 0
    /// A station was not heard for a while and is connected again.
    package var interruptions = 0
    /// A song or a station could not be played.
    package var failures = 0

    /// Notes an event of the engine that is about what plays.
    mutating func note(_ event: AudioEngineEvent) {
        switch event {
        case .buffering(_, true): stalls += 1
        case .interrupted(_, .some): interruptions += 1
        case .failed: failures += 1
        default: break
        }
    }
}
