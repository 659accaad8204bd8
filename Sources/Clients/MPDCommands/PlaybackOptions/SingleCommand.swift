import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Makes the player stop after each song, or after this one.
///
/// - Wire: `single {0|1|oneshot}` → `OK`.
/// - Errors: ACK 2 for another word.
/// - Source: MPD v0.24.13 src/SingleMode.cxx.
struct SingleCommand: ImmediateCommand {
    static let name: StaticString = "single"
    static let permission = Permission.player
    static let argumentCount = 1...1
    static let usage: StaticString = "{STATE}"
    static let origin = CommandOrigin.mpd(since: "0.15")

    private let option: OneshotOption

    init(parsing arguments: inout Arguments) throws(AckError) {
        option = try arguments.oneshot("single")
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        try context.refuse(option, unlessFixedAt: \.single, "single")
        context.player.setSingle(option)
    }
}
