/// The clock by which services pause, try again and give up: the system's, or one that a test moves. Its moments are
/// those of `ContinuousClock`, so that a moment of one is a moment of the other.
package protocol ServiceClock: Clock<Duration> where Instant == ContinuousClock.Instant {}

extension ContinuousClock: ServiceClock {}
