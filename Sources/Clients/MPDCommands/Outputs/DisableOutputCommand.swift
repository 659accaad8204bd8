import MPDProtocol
import Playback
import ServerLoop

/// Switches an output off.
///
/// - Wire: `disableoutput {ID}` → `OK`.
/// - Errors: ACK 50 for an output that isn't there.
/// - Source: MPD v0.24.13 src/command/OutputCommands.cxx `handle_disableoutput`.
struct DisableOutputCommand: Command {
    static let name: StaticString = "disableoutput"
    static let permission = Permission.admin
    static let argumentCount = 1...1
    static let usage: StaticString = "{ID}"
    static let origin = CommandOrigin.mpd(since: "0.12")

    private let output: Int

    init(parsing arguments: inout Arguments) throws(AckError) {
        output = try arguments.unsigned()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        guard context.player.setOutput(output, enabled: false) else {
            throw AckError(.noExist, "No such audio output")
        }
    }
}
