import MPDProtocol
import MusicModel
import ServerLoop

/// Ends a subscription.
///
/// - Wire: `unsubscribe {NAME}` → `OK`.
/// - Errors: ACK 50 when the client isn't subscribed.
/// - Source: MPD v0.24.13 src/command/MessageCommands.cxx `handle_unsubscribe`.
struct UnsubscribeCommand: Command {
    static let name: StaticString = "unsubscribe"
    static let permission = Permission.read
    static let argumentCount = 1...1
    static let usage: StaticString = "{NAME}"
    static let origin = CommandOrigin.mpd(since: "0.17")

    private let channel: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        channel = try arguments.string()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        let client = context.client
        guard let index = client.channels.firstIndex(of: channel) else {
            throw AckError(.noExist, "not subscribed to this channel")
        }
        client.channels.remove(at: index)
        context.server.notify(.subscription, client.partition)
    }
}
