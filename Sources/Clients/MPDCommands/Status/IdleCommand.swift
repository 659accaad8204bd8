import MPDProtocol
import MusicModel
import ServerLoop

/// Waits for changes.
///
/// - Wire: `idle [SUBSYSTEM...]` → `changed: SUBSYSTEM` lines when something changed. Names ignore case.
/// - Errors: ACK 2 for an unknown subsystem.
/// - Source: MPD v0.24.13 src/command/OtherCommands.cxx `handle_idle`, src/protocol/IdleFlags.cxx.
struct IdleCommand: Command {
    static let name: StaticString = "idle"
    static let permission = Permission.read
    static let argumentCount = 0...Int.max
    static let usage: StaticString = "[SUBSYSTEMS...]"
    static let origin = CommandOrigin.mpd(since: "0.14")

    let subsystems: Subsystem

    init(parsing arguments: inout Arguments) throws(AckError) {
        subsystems = try arguments.subsystems()
    }

    func attempt(in context: CommandContext, response: inout ResponseWriter) -> CommandAttempt { .idle(subsystems) }

    /// Does nothing: only a connection can wait for changes.
    func run(in context: CommandContext, response: inout ResponseWriter) {}
}
