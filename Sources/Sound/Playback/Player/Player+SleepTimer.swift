import MusicModel
import ServerLoop

/// When the player is to pause by itself.
struct SleepTimer {
    /// When that is; nil while the timer is off.
    private(set) var end: ContinuousClock.Instant?
    /// Counts the times that it was set, so that an alarm of an earlier one is told apart.
    private(set) var number = 0

    /// Sets it, or switches it off.
    mutating func set(after time: Duration?) {
        number += 1
        end = time.map { ContinuousClock.now + $0 }
    }

    /// How long it takes until then; nil while the timer is off.
    var rest: Duration? { end.map { max(.zero, $0 - ContinuousClock.now) } }
}

/// Sleeping.
extension Player {
    /// How long a sleep timer can be.
    package nonisolated static let sleepTimes = Duration.zero...Duration.seconds(86_400)

    /// Pauses after so long, or no more when nil. What was set before counts no more.
    package func setSleepTimer(after time: Duration?) {
        let time = time.map { min(max($0, Self.sleepTimes.lowerBound), Self.sleepTimes.upperBound) }
        guard time != nil || sleepTimer.end != nil else { return }
        sleepTimer.set(after: time)
        announce(.options)
        guard let time else { return }
        let number = sleepTimer.number
        ServerActor.after(time) { [weak self] in self?.sleep(number) }
    }

    private func sleep(_ number: Int) {
        guard sleepTimer.number == number, let rest = sleepTimer.rest else { return }
        // The event loop's clock stands still while the machine sleeps; this one doesn't, and so is never early.
        guard rest <= .milliseconds(100) else {
            return ServerActor.after(rest) { [weak self] in self?.sleep(number) }
        }
        sleepTimer.set(after: nil)
        pause(true)
        announce(.options)
    }
}
