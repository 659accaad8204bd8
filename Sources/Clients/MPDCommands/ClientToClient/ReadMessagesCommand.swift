import MPDProtocol
import ServerLoop

/// Hands over the client's unread messages.
///
/// - Wire: `readmessages` → `channel: NAME` and `message: TEXT` for each.
/// - Source: MPD v0.24.13 src/command/MessageCommands.cxx `handle_read_messages`.
struct ReadMessagesCommand: Command {
    static let name: StaticString = "readmessages"
    static let permission = Permission.read
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "0.17")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {
        let unread = context.client.messages.all
        context.client.messages = UnreadMessages()
        for message in unread {
            response.line("channel: ", message.channel)
            response.line("message: ", message.text)
        }
    }
}
