import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Gives a stream in the queue another tag value.
///
/// - Wire: `addtagid {SONGID} {TAG} {VALUE}` → `OK`; an empty value adds nothing.
/// - Errors: ACK 2 for an unknown tag or when the entry has too many already, 50 for an id that isn't there, 4
///   for a song of the library, 51 when addresses and tags in all queues have no room for it.
/// - Source: MPD v0.24.13 src/queue/PlaylistTag.cxx `AddSongIdTag`.
struct AddTagIDCommand: Command {
    static let name: StaticString = "addtagid"
    static let permission = Permission.add
    static let argumentCount = 3...3
    static let usage: StaticString = "{SONGID} {TAG} {VALUE}"
    static let origin = CommandOrigin.mpd(since: "0.19")

    /// The limit for the tags of one entry together; MPD has none but its memory.
    private static let maxBytes = 64 * 1024

    private let id: QueueEntryID
    private let tag: Tag
    private let value: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        id = try arguments.entryID()
        tag = try arguments.tag()
        value = try arguments.string()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        var isFull = false
        let isStream = try context.player.editAtOnce { machine in
            try machine.setStreamTags(id: id) { tags in
                if value.isEmpty { return }
                let size = tags.reduce(value.utf8.count) { $0 + $1.value.utf8.count }
                isFull = tags.count >= [TagValue].maxValues || size > Self.maxBytes
                if !isFull { tags.append(TagValue(tag, value)) }
            }
        }
        guard !isFull else { throw AckError(.argument, "Too many tags for one song") }
        guard isStream else { throw AckError(.permission, "Cannot edit tags of local file") }
    }
}
