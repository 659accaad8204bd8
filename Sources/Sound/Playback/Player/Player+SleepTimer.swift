import MusicModel
import ServerLoop

extension Player {
    typealias SleepTimer = (end: ContinuousClock.Instant, waiting: Task<Void, Never>)

    /// How long a sleep timer can be.
    package nonisolated static let sleepTimes = Duration.zero...Duration.seconds(86_400)

    var sleepsIn: Duration? { sleepTimer.map { max(.zero, $0.end - clock.now) } }

    /// Pauses after a time, or never when nil; replaces what was set before.
    package func setSleepTimer(after time: Duration?) {
        guard time != nil || sleepTimer != nil else { return }
        sleepTimer?.waiting.cancel()
        sleepTimer = time.map { $0.clamped(to: Self.sleepTimes) }.map { time in
            (clock.now + time, after(time) { $0.sleep() })
        }
        announce(.options)
    }

    private func sleep() {
        sleepTimer = nil
        pause(true)
        announce(.options)
    }
}
