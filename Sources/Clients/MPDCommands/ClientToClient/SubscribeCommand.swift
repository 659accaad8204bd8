import MPDProtocol
import MusicModel
import ServerLoop

/// Subscribes the client to a channel.
///
/// - Wire: `subscribe {NAME}` → `OK`; at most 16 for a client.
/// - Errors: ACK 2 for a bad name, 56 when it is subscribed already or has too many.
/// - Source: MPD v0.24.13 src/command/MessageCommands.cxx `handle_subscribe`, src/client/Subscribe.cxx.
struct SubscribeCommand: Command {
    static let name: StaticString = "subscribe"
    static let permission = Permission.read
    static let argumentCount = 1...1
    static let usage: StaticString = "{NAME}"
    static let origin = CommandOrigin.mpd(since: "0.17")

    private static let maximum = 16
    private let channel: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        channel = try ChannelName(try arguments.string()).text
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        let client = context.client
        guard client.channels.count < Self.maximum else { throw AckError(.exist, "subscription list is full") }
        guard !client.channels.contains(channel) else {
            throw AckError(.exist, "already subscribed to this channel")
        }
        client.channels.append(channel)
        context.server.addSubscriber(client)
        context.server.notify(.subscription, client.partition)
    }
}
