import MPDProtocol
import MusicModel
import ServerLoop

/// Lists the schemes of streams that can be played.
///
/// - Wire: `urlhandlers` → `handler: http://` lines; `file://` too for a client on the Unix socket.
/// - Source: MPD v0.24.13 src/command/OtherCommands.cxx `handle_urlhandlers`, src/ls.cxx.
struct URLHandlersCommand: ImmediateCommand {
    static let name: StaticString = "urlhandlers"
    static let permission = Permission.read
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {
        if context.client.isLocal { response.line("handler: ", "file://") }
        if !context.server.facts.lineInputs.isEmpty { response.line("handler: ", LineInput.scheme) }
        if !context.server.facts.discDevices.isEmpty { response.line("handler: ", DiscAddress.scheme) }
        for scheme in LocatedURI.streamSchemes { response.line("handler: ", "\(scheme)") }
    }
}
