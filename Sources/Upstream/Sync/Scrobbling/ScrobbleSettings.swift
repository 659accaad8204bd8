import Coordination

/// How plays are reported.
package struct ScrobbleSettings: Sendable {
    /// True if plays are reported at all, `scrobble` in the configuration.
    package var isEnabled: Bool
    /// First and longest wait after a failure; each failure doubles it.
    package var retryDelays: ClosedRange<Duration>
    /// Plays in one request.
    package var batchSize: Int
    /// The pause between two requests while many plays wait, so that the server can do other things.
    package var batchPause: Duration
    /// How long a request that runs at the end of the program may take to finish: cut off, it would be sent again.
    package var grace: Duration

    /// Makes settings; the defaults are the program's.
    package init(
        isEnabled: Bool = true, retryDelays: ClosedRange<Duration> = .seconds(5) ... .seconds(300),
        batchSize: Int = 50, batchPause: Duration = .milliseconds(100), grace: Duration = .seconds(1)
    ) {
        self.isEnabled = isEnabled
        self.retryDelays = retryDelays
        self.batchSize = batchSize
        self.batchPause = batchPause
        self.grace = grace
    }

    /// The pause after a number of failures in a row.
    func retryDelay(after failures: Int) -> Duration {
        Backoff(retryDelays).pause(after: failures)
    }
}
