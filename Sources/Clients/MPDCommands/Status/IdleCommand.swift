package import MPDProtocol
package import MusicModel
import ServerLoop

/// Waits for changes; the session does the waiting, this row names and parses it.
///
/// - Wire: `idle [SUBSYSTEM...]` → `changed: SUBSYSTEM` lines when something changed. Names ignore case.
/// - Errors: ACK 2 for an unknown subsystem.
/// - Source: MPD v0.24.13 src/command/OtherCommands.cxx `handle_idle`, src/protocol/IdleFlags.cxx.
package struct IdleCommand: Command {
    /// The command's word on the wire.
    package static let name: StaticString = "idle"
    /// The permission that a client needs to send it.
    package static let permission = Permission.read
    /// How many arguments it takes.
    package static let argumentCount = 0...Int.max
    /// The arguments as a manual writes them.
    package static let usage: StaticString = "[SUBSYSTEMS...]"
    /// The program that brought it, and since when.
    package static let origin = CommandOrigin.mpd(since: "0.14")

    /// The subsystems that the client waits for.
    package let subsystems: Subsystem

    /// Reads the names of subsystems; none means everything.
    package init(parsing arguments: inout Arguments) throws(AckError) {
        subsystems = try arguments.subsystems()
    }

    /// Does nothing: the session waits.
    package func run(in context: CommandContext, response: inout ResponseWriter) {}
}
