import MPDProtocol
import ServerLoop

/// Shows local paths to a client on the Unix socket.
///
/// - Wire: `config` → `music_directory: PATH` when there is a local folder, and `pcre: 1`.
/// - Errors: ACK 4 over TCP.
/// - Source: MPD v0.24.13 src/command/OtherCommands.cxx `handle_config`. Differs: stored playlists are in the
///   database, hence no `playlist_directory`.
struct ConfigCommand: Command {
    static let name: StaticString = "config"
    static let permission = Permission.admin
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "0.17")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        guard context.client.isLocal else {
            throw AckError(.permission, "Command only permitted to local clients")
        }
        if let folder = context.server.musicDirectory { response.line("music_directory: ", folder) }
        response.line("pcre: ", 1)
    }
}
