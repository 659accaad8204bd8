import MPDProtocol
import Playback
import ServerLoop

/// Lists the outputs.
///
/// - Wire: `outputs` → `outputid`, `outputname`, `plugin`, `outputenabled` and `attribute: NAME=VALUE` lines.
/// - Source: MPD v0.24.13 src/output/Print.cxx.
struct OutputsCommand: ImmediateCommand {
    static let name: StaticString = "outputs"
    static let permission = Permission.read
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "0.12")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {
        for output in context.player.outputs {
            response.line("outputid: ", output.id)
            response.line("outputname: ", output.name)
            response.line("plugin: ", output.plugin)
            response.line("outputenabled: ", output.isEnabled)
            for (name, value) in output.attributes.sorted(by: { $0.key < $1.key }) {
                response.line("attribute: ", "\(name)=\(value)")
            }
        }
    }
}
