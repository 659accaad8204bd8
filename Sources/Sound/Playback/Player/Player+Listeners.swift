import Coordination
import MusicModel
import ServerLoop

extension Player {
    /// How long there has to be no listener: players that reconnect are away for a moment.
    private static let patience = Duration.seconds(3)

    private var playing: some Sequence<OutputStatus> {
        shownOutputs.lazy.filter { $0.isEnabled && !$0.isMovedAway && !$0.isRemote }
    }

    var hasOutput: Bool { playing.contains { _ in true } }
    /// True if what plays is heard by no one; an output that can't know counts as one that is heard.
    private var isAlone: Bool { hasOutput && playing.allSatisfy { $0.listeners == 0 } }

    func followListeners() {
        guard settings.pausesWithoutListeners else { return }
        if machine.transport != .pause { presence.isPausedAlone = false }
        guard isAlone, machine.transport == .play else {
            presence.leaving?.cancel()
            presence.leaving = nil
            // Without outputs there is nothing to continue with; listeners may come to the next one.
            guard !isAlone, presence.isPausedAlone, hasOutput else { return }
            presence.isPausedAlone = false
            return pause(false)
        }
        guard presence.leaving == nil else { return }
        presence.leaving = after(Self.patience) { $0.pauseAlone() }
    }

    private func pauseAlone() {
        presence.leaving = nil
        guard isAlone, machine.transport == .play else { return }
        pause(true)
        presence.isPausedAlone = true
    }

    /// Does something after a while, if the player still exists, unless the task is cancelled by then.
    func after(_ delay: Duration, _ body: @escaping @ServerActor @Sendable (Player) -> Void) -> Task<Void, Never> {
        Task { @ServerActor [weak self, clock] in
            try? await clock.sleep(for: delay)
            if !Task.isCancelled, let self { body(self) }
        }
    }
}
