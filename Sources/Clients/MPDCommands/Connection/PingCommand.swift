import MPDProtocol
import ServerLoop

/// Does nothing.
///
/// - Wire: `ping` → `OK`.
/// - Source: MPD v0.24.13 doc/protocol.rst `ping`.
struct PingCommand: ImmediateCommand {
    static let name: StaticString = "ping"
    static let permission = Permission.none
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {}
}
