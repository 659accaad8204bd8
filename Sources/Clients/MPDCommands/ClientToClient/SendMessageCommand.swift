import MPDProtocol
import ServerLoop

/// Sends a text to the subscribers of a channel in the same partition, and to the server where the channel is its own.
///
/// - Wire: `sendmessage {CHANNEL} {TEXT}` → `OK`; a client keeps at most 64 unread messages, all
///   clients together 8 MiB of them.
///   What is sent to the channel `segue` may be a command of our own.
/// - Errors: ACK 2 for a bad name, 50 without a subscriber.
/// - Source: MPD v0.24.13 src/command/MessageCommands.cxx `handle_send_message`, src/client/Subscribe.cxx.
struct SendMessageCommand: Command {
    static let name: StaticString = "sendmessage"
    static let permission = Permission.control
    static let argumentCount = 2...2
    static let usage: StaticString = "{CHANNEL} {TEXT}"
    static let origin = CommandOrigin.mpd(since: "0.17")

    private let channel: String
    private let text: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        channel = try ChannelName(try arguments.string()).text
        text = try arguments.string()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        var isTaken =
            try channel == PlayerChannel.name && PlayerChannel.carryOut(text, in: context, response: &response)
        if context.server.send(text, on: channel, in: context.client.partition) { isTaken = true }
        if let own = context.server.parts.ownChannel, own.take(text, on: channel, in: context.client.partition) {
            isTaken = true
        }
        guard isTaken else { throw AckError(.noExist, "nobody is subscribed to this channel") }
    }
}
