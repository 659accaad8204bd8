import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

/// Shows all tags of a song, whatever the client chose with `tagtypes`, and its words.
///
/// - Wire: `readcomments {URI}` → `Name: VALUE` lines, a Navidrome's by the names of taggers behind MPD's, then a
///   `Lyrics: LINE` for every line of the words; nothing for a stream.
/// - Errors: ACK 50 for what isn't a song, 2 for a malformed path or an unsupported scheme, 4 for a file path over TCP.
/// - Source: MPD v0.24.13 src/command/FileCommands.cxx `handle_read_comments`. Differs: MPD reads the names that the
///   file has; they are MPD's own here, because the file is elsewhere.
struct ReadCommentsCommand: Command {
    static let name: StaticString = "readcomments"
    static let permission = Permission.read
    static let argumentCount = 1...1
    static let usage: StaticString = "{URI}"
    static let origin = CommandOrigin.mpd(since: "0.18")

    private let uri: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        uri = try arguments.string()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let located = try LocatedURI(uri, for: .input, in: context)
        if case .outside(let file) = located {
            for value in try await context.outsideSong(file, orElse: "Failed to load file").tags {
                response.line(value.tag, value.value)
            }
        }
        guard case .relative(let path) = located else { return }
        guard let song = try await context.server.library.index.song(at: path) else {
            throw AckError(.noExist, "No such song")
        }
        let (words, provider) = (context.server.lyrics, context.server.comments)
        async let found = words?.lyrics(of: path, isUrgent: true)
        var comments: [(name: String, value: String)] = []
        if let id = song.id, let provider { comments = await provider.comments(of: id) }
        let lyrics = await found
        for value in song.tags { response.line(value.tag, value.value) }
        let told = Set(song.tags.map { "\($0.tag.wireName)=\($0.value)".lowercased() })
        for comment in comments where !told.contains("\(comment.name)=\(comment.value)".lowercased()) {
            response.line("", "\(comment.name): \(comment.value)")
        }
        // MPD leaves out values of several lines; line by line they fit the protocol and its limit.
        for line in lyrics?.lines ?? [] { response.line("Lyrics: ", String(line)) }
    }
}
