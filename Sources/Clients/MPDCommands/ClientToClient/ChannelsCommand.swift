import MPDProtocol
import ServerLoop

/// Lists the channels that clients of the partition are subscribed to.
///
/// - Wire: `channels` → `channel: NAME` lines, sorted, each once.
/// - Source: MPD v0.24.13 src/command/MessageCommands.cxx `handle_channels`.
struct ChannelsCommand: Command {
    static let name: StaticString = "channels"
    static let permission = Permission.read
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "0.17")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {
        var names = Set(context.server.subscribers(in: context.client.partition).flatMap(\.channels))
        if let own = context.server.parts.ownChannel, own.isListed(in: context.client.partition) {
            names.insert(own.name)
        }
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            response.line("channel: ", name)
        }
    }
}
