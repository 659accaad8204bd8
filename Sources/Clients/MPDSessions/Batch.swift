import MPDCommands
import MusicModel
import ServerLoop

/// Lines, one of which has to wait for the library or for the client; a task answers them until none is left. A session
/// has one only while it waits for such a line; it outlives the connection where its command does.
@ServerActor
final class Batch {
    var task: Task<Void, Never>?
    /// Resumed when the client takes more of its answer; nil while it need not.
    var writer: CheckedContinuation<Void, any Error>?
    var clientLoss = ClientLoss.finishes
    /// The subsystems that the client waits for from the end of the batch on.
    var idleMask: Subsystem?
    /// True if the socket was not asked for more, because enough lines wait.
    var holdsRead = false
    var inputHasEnded = false

    init(idleMask: Subsystem?) { self.idleMask = idleMask }

    /// Cancels the command that runs if it is one of those that the loss of their client ends in these ways.
    func giveUp(_ kinds: Set<ClientLoss>) { if kinds.contains(clientLoss) { task?.cancel() } }

    /// The client is gone; an edit may take `timeout` to look up what it still needs.
    func clientLeft(_ timeout: Duration) {
        writer?.resume(throwing: ClientIsGone())
        writer = nil
        giveUp([.endsAtOnce])
        guard clientLoss == .endsSoon else { return }
        ServerActor.after(timeout) { [weak self] in self?.giveUp([.endsSoon]) }
    }
}

struct WaitingCommand {
    let command: Command
    let run: Command.SuspendingRun
    let context: CommandContext
    /// When its line came; nil where commands are not timed.
    let start: ContinuousClock.Instant?
}

struct ClientIsGone: Error {}
