import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Makes the player remove what it has played.
///
/// - Wire: `consume {0|1|oneshot}` → `OK`.
/// - Errors: ACK 2 for another word.
/// - Source: MPD v0.24.13 src/ConsumeMode.cxx.
struct ConsumeCommand: ImmediateCommand {
    static let name: StaticString = "consume"
    static let permission = Permission.player
    static let argumentCount = 1...1
    static let usage: StaticString = "{STATE}"
    static let origin = CommandOrigin.mpd(since: "0.15")

    private let option: OneshotOption

    init(parsing arguments: inout Arguments) throws(AckError) {
        option = try arguments.oneshot("consume")
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        try context.refuse(option, unlessFixedAt: \.consume, "consume")
        context.player.setConsume(option)
    }
}
