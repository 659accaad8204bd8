public import MPDProtocol
public import MusicModel
import ServerLoop

/// Waits for changes; the session does the waiting, this row names and parses it.
///
/// - Wire: `idle [SUBSYSTEM...]` → `changed: SUBSYSTEM` lines when something changed. Names ignore case.
/// - Errors: ACK 2 for an unknown subsystem.
/// - Source: MPD v0.24.13 src/command/OtherCommands.cxx `handle_idle`, src/protocol/IdleFlags.cxx.
public struct IdleCommand: Command {
    /// The command's word on the wire.
    public static let name: StaticString = "idle"
    /// What a client needs to be allowed to send it.
    public static let permission = Permission.read
    /// How many arguments it takes.
    public static let argumentCount = 0...Int.max
    /// The arguments as a manual writes them.
    public static let usage: StaticString = "[SUBSYSTEMS...]"

    /// What the client waits for.
    public let subsystems: Subsystem

    /// Reads the names of subsystems; none means everything.
    public init(parsing arguments: inout Arguments) throws(AckError) {
        subsystems = try arguments.subsystems()
    }

    /// Does nothing: the session waits.
    public func run(in context: CommandContext, response: inout ResponseWriter) {}
}
