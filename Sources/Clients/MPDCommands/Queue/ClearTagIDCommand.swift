import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Takes the values of a tag, or of all tags, from a stream in the queue.
///
/// - Wire: `cleartagid {SONGID} [TAG]` → `OK`.
/// - Errors: ACK 2 for an unknown tag, 50 for an id that isn't there, 4 for a song of the library.
/// - Source: MPD v0.24.13 src/queue/PlaylistTag.cxx `ClearSongIdTag`.
struct ClearTagIDCommand: Command {
    static let name: StaticString = "cleartagid"
    static let permission = Permission.add
    static let argumentCount = 1...2
    static let usage: StaticString = "{SONGID} [TAG]"
    static let origin = CommandOrigin.mpd(since: "0.19")

    private let id: QueueEntryID
    private let tag: Tag?

    init(parsing arguments: inout Arguments) throws(AckError) {
        id = try arguments.entryID()
        tag = arguments.isEmpty ? nil : try arguments.tag()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        let isStream = try context.player.editAtOnce { machine in
            try machine.setStreamTags(id: id) { tags in tags.removeAll { tag == nil || $0.tag == tag } }
        }
        guard isStream else { throw AckError(.permission, "Cannot edit tags of local file") }
    }
}
