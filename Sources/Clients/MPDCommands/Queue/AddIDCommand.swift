import LibraryIndex
import MPDProtocol
import MusicModel
import Playback
import ServerLoop
import UserLibrary

/// Puts one song or stream into the queue and tells its id.
///
/// - Wire: `addid {URI} [POSITION]` → `Id: SONGID`; `+N` and `-N` count from the current song.
/// - Errors: as `add`, but a directory is ACK 50.
/// - Source: MPD v0.24.13 src/command/QueueCommands.cxx `handle_addid`.
struct AddIDCommand: ReadyCommand {
    static let name: StaticString = "addid"
    static let permission = Permission.add
    static let argumentCount = 1...2
    static let usage: StaticString = "{URI} [POSITION]"
    static let origin = CommandOrigin.mpd(since: "0.12")

    private let uri: String
    private let position: ArgumentPosition?

    init(parsing arguments: inout Arguments) throws(AckError) {
        uri = try arguments.string()
        position = arguments.isEmpty ? nil : try arguments.position()
    }

    func runIfReady(in context: CommandContext, response: inout ResponseWriter) throws -> Bool {
        try context.check(position)
        guard context.collector == nil, case .relative(let path) = try LocatedURI(uri, for: .input, in: context),
            let song = context.server.library.index.memory?.queueableSong(at: path)
        else { return false }
        let place = try position.map { QueuePosition.absolute(try $0.insertion(in: context.player)) }
        let edit = QueueEdit.insert([QueueCandidate(song)], at: place)
        guard !context.player.isLarge(edit) else { return false }
        if let id = try context.player.apply(edit).first { response.line("Id: ", id.rawValue) }
        return true
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        try context.check(position)
        let candidate = try await candidate(in: context)
        if let id = try await context.insert([candidate], at: position).first { response.line("Id: ", id.rawValue) }
    }

    @ServerActor
    private func candidate(in context: CommandContext) async throws -> QueueCandidate {
        switch try LocatedURI(uri, for: .input, in: context) {
        case .absolute(let url):
            let candidates = try await context.candidates(stream: url)
            guard candidates.count == 1 else {
                throw AckError(.argument, "That is a whole disc; `add` takes it, or name a track")
            }
            return candidates[0]
        case .outside(let path): return try await context.outsideCandidate(path)
        case .relative(let path):
            guard let song = try await context.server.library.index.queueableSong(at: path) else {
                throw AckError(.noExist, "No such song")
            }
            return QueueCandidate(song)
        }
    }
}
