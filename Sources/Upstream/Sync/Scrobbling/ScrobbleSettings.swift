import Coordination

/// How plays are reported.
package struct ScrobbleSettings: Hashable, Sendable {
    /// True if plays are reported at all, `scrobble` in the configuration.
    package var isEnabled = true
    /// First and longest wait after a failure; each failure doubles it.
    package var retryDelays: ClosedRange<Duration> = .seconds(5) ... .seconds(300)
    /// Plays in one request.
    package var batchSize = 50
    /// The pause between two requests while many plays wait, so that the server can do other things.
    package var batchPause = Duration.milliseconds(100)
    /// How long a request that runs at the end of the program may take to finish: cut off, it would be sent again.
    package var grace = Duration.seconds(1)

    /// Makes settings.
    package init(isEnabled: Bool = true, batchSize: Int = 50) {
        (self.isEnabled, self.batchSize) = (isEnabled, batchSize)
    }

    /// The pause after a number of failures in a row.
    func retryDelay(after failures: Int) -> Duration {
        Backoff(retryDelays).pause(after: failures)
    }
}
