import MPDProtocol
import ServerLoop
import UserLibrary

/// Moves items within a stored playlist.
///
/// - Wire: `playlistmove {NAME} {FROM|START:END} {TO}` → `OK`, also for a move to where they are, whatever the name.
/// - Errors: ACK 50 for what isn't there, 2 for a bad name, an open end or positions that aren't there.
/// - Source: MPD v0.24.13 src/command/PlaylistCommands.cxx `handle_playlistmove`.
struct PlaylistMoveCommand: Command {
    static let name: StaticString = "playlistmove"
    static let permission = Permission.control
    static let argumentCount = 3...3
    static let usage: StaticString = "{NAME} {FROM|START:END} {TO}"
    static let origin = CommandOrigin.mpd(since: "0.13")

    private let playlist: String
    private let source: Range<Int>
    private let destination: Int

    init(parsing arguments: inout Arguments) throws(AckError) {
        playlist = try arguments.string()
        let range = try arguments.range()
        guard let end = range.end else { throw AckError(.argument, "Open-ended range not supported") }
        source = range.start..<end
        destination = try arguments.unsigned()
        if source.isEmpty || source.lowerBound == destination { return }
        try Arguments.checkPlaylistName(playlist)
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        if source.isEmpty || source.lowerBound == destination { return }
        try await context.server.library.moveInStoredPlaylist(playlist, source, to: destination)
        context.playlistsChanged()
    }
}
