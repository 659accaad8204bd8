import MPDProtocol
import Playback
import ServerLoop

/// A command that edits a range of the queue: at once, or beside the event loop where the queue is large.
protocol QueueEditCommand: ReadyCommand {
    /// The edit to do; nil is nothing.
    ///
    /// - Throws: anything; `AckError.mapping` turns it into an ACK.
    @ServerActor func edit(in context: CommandContext) throws -> QueueEdit?
}

extension QueueEditCommand {
    @ServerActor
    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        if let edit = try edit(in: context) { try await context.player.edit(edit) }
    }

    @ServerActor
    func runIfReady(in context: CommandContext, response: inout ResponseWriter) throws -> Bool {
        guard let edit = try edit(in: context) else { return true }
        guard !context.player.isLarge(edit) else { return false }
        try context.player.apply(edit)
        return true
    }
}
