import Discovery
package import MPDCommands
package import Playback
package import ServerLoop

/// The channel by which clients talk with the auto-DJ.
@ServerActor
package final class DJChannel: ChannelTaking {
    /// The channel of clients whose listeners chat, such as ncmpc.
    private static let chat = "chat"

    private let dj: DiscJockey
    /// The partitions whose listeners spoke with it in the chat last, and are answered there.
    private var chatting: Set<ObjectIdentifier> = []

    /// Speaks for the auto-DJ.
    package init(_ dj: DiscJockey) { self.dj = dj }
    package var name: String { DiscJockey.channel }

    func channels(of partition: Partition) -> [String] {
        chatting.contains(ObjectIdentifier(partition)) ? [name, Self.chat] : [name]
    }

    package func isListed(in partition: Partition) -> Bool { dj.isShown || dj.isOn(in: partition) }

    package func take(_ text: String, on channel: String, in partition: Partition) -> Bool {
        if channel == name {
            chatting.remove(ObjectIdentifier(partition))
            dj.take(text, in: partition)
            return true
        }
        guard channel == Self.chat, isListed(in: partition), let words = Self.words(inChat: text) else { return false }
        chatting.insert(ObjectIdentifier(partition))
        dj.take(words, in: partition)
        return true
    }

    /// The words behind `dj` at the beginning of a line, before which ncmpc puts its listener's name: `<ada> dj on`.
    private static func words(inChat line: String) -> String? {
        var line = line[...]
        if line.hasPrefix("<"), let end = line.firstIndex(of: ">") { line = line[line.index(after: end)...] }
        let words = line.split(separator: " ", maxSplits: 1)
        return words.count == 2 && words[0] == "dj" ? String(words[1]) : nil
    }

    package func loaded(_ playlist: String, in partition: Partition) {
        if playlist == MixMaker.autoDJName { dj.take("on", in: partition) }
    }

    /// Sends clients what the auto-DJ says, until the task is cancelled.
    package func run(_ context: ServerContext) async {
        for await message in dj.messages {
            guard let partition = context.partitions.first(where: { $0.name == message.partition }) else { continue }
            for name in channels(of: partition) { context.send(message.text, on: name, in: partition) }
        }
    }
}
