import Coordination
import MusicModel
import ServerLoop

/// The presence of listeners, for players that pause while there are none.
struct ListenerPresence {
    /// True if it was paused because of that.
    var isPausedAlone = false
    /// True if it is about to be.
    var isLeaving = false
    /// Counts how often that began, so that an earlier one is told apart.
    var number = 0
}

/// Playing for listeners.
extension Player {
    /// How long there has to be no listener: players that reconnect are away for a moment.
    private static let patience = Duration.seconds(3)

    /// The outputs that play here.
    private var playing: some Sequence<OutputStatus> {
        shownOutputs.lazy.filter { $0.isEnabled && !$0.isMovedAway && !$0.isRemote }
    }

    /// True if some output plays at all.
    private var hasOutputs: Bool { playing.contains { _ in true } }

    /// True if what plays is heard by no one; an output that can't know counts as one that is heard.
    private var isAlone: Bool { hasOutputs && playing.allSatisfy { $0.listeners == 0 } }

    /// Takes in that listeners came or went, or that it plays or pauses now.
    func followListeners() {
        guard settings.pausesWithoutListeners else { return }
        if machine.transport != .pause { presence.isPausedAlone = false }
        guard isAlone else {
            presence.isLeaving = false
            // Without outputs there is nothing to continue with; listeners may come to the next one.
            guard presence.isPausedAlone, hasOutputs else { return }
            presence.isPausedAlone = false
            return pause(false)
        }
        guard machine.transport == .play else {
            presence.isLeaving = false
            return
        }
        guard !presence.isLeaving else { return }
        presence.isLeaving = true
        presence.number += 1
        let number = presence.number
        after(Self.patience) { $0.pauseAlone(number) }
    }

    /// Does something after a while, if the player still exists.
    func after(_ delay: Duration, _ body: @escaping @ServerActor @Sendable (Player) -> Void) {
        Task { @ServerActor [weak self, clock] in
            try? await clock.sleep(for: delay)
            if let self { body(self) }
        }
    }

    private func pauseAlone(_ number: Int) {
        guard presence.isLeaving, presence.number == number, isAlone, machine.transport == .play else { return }
        presence.isLeaving = false
        pause(true)
        presence.isPausedAlone = true
    }
}
