import MPDProtocol
import MusicModel
import ServerLoop

extension Command {
    static let channels = immediate("channels", .read, since: "0.17") { context, response in
        var names = Set(context.server.subscribers(in: context.client.partition).flatMap(\.channels))
        if let own = context.server.parts.ownChannel, own.isListed(in: context.client.partition) {
            names.insert(own.name)
        }
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            response.line("channel: ", name)
        }
    }

    static let readMessages = immediate("readmessages", .read, since: "0.17") { context, response in
        let unread = context.client.messages.all
        context.client.messages = UnreadMessages()
        for message in unread {
            response.line("channel: ", message.channel)
            response.line("message: ", message.text)
        }
    }

    /// Sends a text to the subscribers of a channel in the same partition, and to the server where the channel is its
    /// own. Clients keep 64 unread messages each, and 8 MiB together. A text for `segue` may be a command of ours.
    static let sendMessage = Command("sendmessage", .control, 2...2, "{CHANNEL} {TEXT}", since: "0.17") { arguments in
        let channel = try arguments.channelName()
        let text = try arguments.string()
        return .immediate { context, response in
            var isTaken =
                try channel == PlayerChannel.name && PlayerChannel.carryOut(text, in: context, response: &response)
            if context.server.send(text, on: channel, in: context.client.partition) { isTaken = true }
            if let own = context.server.parts.ownChannel, own.take(text, on: channel, in: context.client.partition) {
                isTaken = true
            }
            guard isTaken else { throw AckError(.noExist, "nobody is subscribed to this channel") }
        }
    }

    /// Subscribes the client to a channel; it may have 16.
    static let subscribe = Command("subscribe", .read, 1...1, "{NAME}", since: "0.17") { arguments in
        let channel = try arguments.channelName()
        return .immediate { context, _ in
            let client = context.client
            guard client.channels.count < 16 else { throw AckError(.exist, "subscription list is full") }
            guard !client.channels.contains(channel) else {
                throw AckError(.exist, "already subscribed to this channel")
            }
            client.channels.append(channel)
            context.server.addSubscriber(client)
            context.server.notify(.subscription, client.partition)
        }
    }

    static let unsubscribe = Command("unsubscribe", .read, 1...1, "{NAME}", since: "0.17") { arguments in
        let channel = try arguments.string()
        return .immediate { context, _ in
            let client = context.client
            guard let index = client.channels.firstIndex(of: channel) else {
                throw AckError(.noExist, "not subscribed to this channel")
            }
            client.channels.remove(at: index)
            context.server.notify(.subscription, client.partition)
        }
    }
}

extension Arguments {
    /// Takes the name of a channel between clients; the limit is ours, as a client has up to 16 names.
    fileprivate mutating func channelName() throws(AckError) -> String {
        let name = try string()
        guard name.utf8.count <= 256 else { throw AckError(.argument, "channel names may have 256 characters") }
        guard !name.isEmpty, name.utf8.allSatisfy({ $0.isLetterOrDigit || "_-.:".utf8.contains($0) }) else {
            throw AckError(.argument, "invalid channel name")
        }
        return name
    }
}

/// The channel by which clients that only know MPD's commands send those of our own: `sendmessage segue "speed 1.25"`.
enum PlayerChannel {
    static let name = "segue"

    /// Carries out a text that was sent to the channel; false if it is none of our commands.
    @ServerActor
    static func carryOut(_ text: String, in context: CommandContext, response: inout ResponseWriter) throws -> Bool {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard let command = [Command.speed, .sleepTimer].first(where: { $0.name == words.first }) else { return false }
        let action = try command.action(Array(words.dropFirst()), permission: context.client.permission)
        guard words.count == 2 else { throw AckError(.argument, "too few arguments for \"\(command.name)\"") }
        if case .immediate(let run) = action { try run(context, &response) }
        return true
    }
}

struct UnreadMessages {
    /// The maximum number of unread messages of a client, MPD's `MAX_MESSAGES`.
    static let maxOfClient = 64
    /// Bytes of all clients together; a thousand of them with 64 long messages each would have a gigabyte.
    static let maxBytes = 8 << 20
    private static let overhead = 64

    private(set) var all: [(channel: String, text: String)] = []
    private(set) var size = 0

    static func size(_ channel: String, _ text: String) -> Int { overhead + channel.utf8.count + text.utf8.count }

    mutating func append(_ channel: String, _ text: String) {
        all.append((channel, text))
        size += Self.size(channel, text)
    }
}
