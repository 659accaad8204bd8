import MusicModel
import ServerLoop

/// When the player is to pause on its own.
struct SleepTimer {
    /// When that is; nil while the timer is off.
    private(set) var end: ContinuousClock.Instant?
    /// Counts the times that it was set, so that an alarm of an earlier one is told apart.
    private(set) var number = 0

    /// Sets it, or switches it off.
    mutating func set(to end: ContinuousClock.Instant?) {
        number += 1
        self.end = end
    }
}

/// Sleeping.
extension Player {
    /// How long a sleep timer can be.
    package nonisolated static let sleepTimes = Duration.zero...Duration.seconds(86_400)

    /// How long it takes until it pauses on its own; nil while the timer is off.
    var sleepsIn: Duration? { sleepTimer.end.map { max(.zero, $0 - clock.now) } }

    /// Pauses after a time, or never when nil; replaces what was set before.
    package func setSleepTimer(after time: Duration?) {
        let time = time.map { min(max($0, Self.sleepTimes.lowerBound), Self.sleepTimes.upperBound) }
        guard time != nil || sleepTimer.end != nil else { return }
        sleepTimer.set(to: time.map { clock.now + $0 })
        announce(.options)
        guard let time else { return }
        let number = sleepTimer.number
        after(time) { $0.sleep(number) }
    }

    private func sleep(_ number: Int) {
        guard sleepTimer.number == number else { return }
        sleepTimer.set(to: nil)
        pause(true)
        announce(.options)
    }
}
