import MPDProtocol
import ServerLoop

/// Would list servers in the neighbourhood; nothing searches for them, so it is refused and `commands` doesn't list it.
///
/// - Wire: `listneighbors`.
/// - Errors: ACK 5, as MPD answers without a neighbour plug-in.
/// - Source: MPD v0.24.13 src/command/NeighborCommands.cxx.
struct ListNeighborsCommand: Command {
    static let name: StaticString = "listneighbors"
    static let permission = Permission.read
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "0.19")

    static func isAvailable(in server: ServerContext) -> Bool { false }

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        throw AckError(.unknown, "No neighbor plugin configured")
    }
}
