/// The clock by which services pause, try again and give up: the system's, or one that a test moves.
package protocol ServiceClock: Clock<Duration> where Instant == ContinuousClock.Instant {}

extension ContinuousClock: ServiceClock {}
