import MPDProtocol
import ServerLoop

/// Lists decoders with the suffixes and MIME types that they understand.
///
/// - Wire: `decoders` → `plugin`, `suffix` and `mime_type` lines.
/// - Source: MPD v0.24.13 src/decoder/DecoderPrint.cxx.
struct DecodersCommand: ImmediateCommand {
    static let name: StaticString = "decoders"
    static let permission = Permission.read
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "0.16")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {
        for decoder in context.server.decoders {
            response.line("plugin: ", decoder.plugin)
            for suffix in decoder.suffixes { response.line("suffix: ", suffix) }
            for type in decoder.mimeTypes { response.line("mime_type: ", type) }
        }
    }
}
