import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

/// Lists the distinct values of a tag, or the URIs of songs.
///
/// - Wire: `list {TAG} [FILTER] [group {TAG}]... [window {START:END}]` → `Group: VALUE` lines, outermost (the last
///   argument) first and again whenever one changes, and `Tag: VALUE` lines; also empty ones. `list file [FILTER]` →
///   `file` lines.
/// - Shape: `list album {ARTIST}` is the form from before MPD 0.12. A window counts values, or those of the outermost
///   group.
/// - Errors: ACK 2 for an unknown tag, a bad filter or group, 50 for a `base` that isn't there.
/// - Source: MPD v0.24.13 src/command/DatabaseCommands.cxx `handle_list`, src/db/DatabasePrint.cxx `PrintUniqueTags`.
struct ListCommand: Command {
    static let name: StaticString = "list"
    static let permission = Permission.read
    static let argumentCount = 1...Int.max
    static let usage: StaticString = "{TYPE} [FILTER] [group {GROUPTYPE}]... [window {START:END}]"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    /// The tag; nil lists URIs.
    private let tag: Tag?
    private let groups: [Tag]
    private let filter: SongFilter
    /// The values that are wanted; nil is all of them.
    private let window: Range<Int>?

    init(parsing arguments: inout Arguments) throws(AckError) {
        if let word = arguments.peek?.lowercased(), word == "file" || word == "filename" {
            _ = arguments.next()
            tag = nil
            groups = []
            window = nil
            filter = arguments.isEmpty ? .all : try arguments.filter(foldsCase: false)
            return
        }
        let tag = try arguments.tag()
        self.tag = tag
        window = try arguments.trailingWindow().window
        if arguments.count == 1, let artist = arguments.peek, artist.utf8.first != UInt8(ascii: "(") {
            guard tag == .album else { throw AckError(.argument, "should be \"Album\" for 3 arguments") }
            filter = .text(.tag(.artist), StringTest(.equals, artist))
            groups = []
            return
        }
        groups = try arguments.trailingGroups(listed: tag)
        filter = arguments.isEmpty ? .all : try arguments.filter(foldsCase: false)
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let library = context.server.library
        guard let tag else { return try await response.copy(try await library.index.listFiles(filter: filter)) }
        var open: [String]?
        var position = -1
        for entry in try await library.index.list(tag, filter: filter, groups: groups) {
            // From the outermost group that changed, all are named again.
            let outermost = groups.indices.last { open?[$0] != entry.groups[$0] }
            if groups.isEmpty || open == nil || outermost == groups.count - 1 { position += 1 }
            if let window, !window.contains(position) {
                if position >= window.upperBound { break }
                open = entry.groups
                continue
            }
            if let outermost {
                for index in (0...outermost).reversed() { response.line(groups[index], entry.groups[index]) }
            }
            open = entry.groups
            response.line(tag, entry.value)
            try await response.flushIfFull()
        }
    }
}
