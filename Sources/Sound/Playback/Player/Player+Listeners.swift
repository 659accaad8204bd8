import MusicModel
import ServerLoop

/// Whether there are listeners, for players that pause while there are none.
struct Attendance {
    /// Whether it was paused because of that.
    var isPausedAlone = false
    /// Whether it is about to be.
    var isLeaving = false
    /// Counts how often that began, so that an earlier one is told apart.
    var number = 0
}

/// Playing for listeners.
extension Player {
    /// So long there has to be no listener: players that connect anew are away for a moment.
    private static let patience = Duration.seconds(3)

    /// Whether what plays can be heard; an output that can't know counts as one that is heard.
    private var isAlone: Bool {
        let playing = shownOutputs.filter { $0.isEnabled && !$0.isMovedAway && !$0.isRemote }
        return !playing.isEmpty && playing.allSatisfy { $0.listeners == 0 }
    }

    /// Takes in that listeners came or went, or that it plays or pauses now.
    func followListeners() {
        guard settings.pausesWithoutListeners else { return }
        if machine.transport != .pause { attendance.isPausedAlone = false }
        guard isAlone else {
            attendance.isLeaving = false
            guard attendance.isPausedAlone else { return }
            attendance.isPausedAlone = false
            return pause(false)
        }
        guard machine.transport == .play else {
            attendance.isLeaving = false
            return
        }
        guard !attendance.isLeaving else { return }
        attendance.isLeaving = true
        attendance.number += 1
        let number = attendance.number
        ServerActor.after(Self.patience) { [weak self] in self?.pauseAlone(number) }
    }

    private func pauseAlone(_ number: Int) {
        guard attendance.isLeaving, attendance.number == number, isAlone, machine.transport == .play else { return }
        attendance.isLeaving = false
        pause(true)
        attendance.isPausedAlone = true
    }
}
