import MPDProtocol
import Playback
import ServerLoop

/// Switches an output on if it is off, and the other way round.
///
/// - Wire: `toggleoutput {ID}` → `OK`.
/// - Errors: ACK 50 for an output that isn't there.
/// - Source: MPD v0.24.13 src/command/OutputCommands.cxx `handle_toggleoutput`.
struct ToggleOutputCommand: Command {
    static let name: StaticString = "toggleoutput"
    static let permission = Permission.admin
    static let argumentCount = 1...1
    static let usage: StaticString = "{ID}"
    static let origin = CommandOrigin.mpd(since: "0.18")

    private let output: Int

    init(parsing arguments: inout Arguments) throws(AckError) {
        output = try arguments.unsigned()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        guard context.player.setOutput(output, enabled: nil) else {
            throw AckError(.noExist, "No such audio output")
        }
    }
}
