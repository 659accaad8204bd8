import MPDProtocol
import Playback
import ServerLoop

/// Makes the player choose songs in random order.
///
/// - Wire: `random {0|1}` → `OK`.
/// - Errors: ACK 2 for something else.
/// - Source: MPD v0.24.13 src/command/PlayerCommands.cxx `handle_random`.
struct RandomCommand: Command {
    static let name: StaticString = "random"
    static let permission = Permission.player
    static let argumentCount = 1...1
    static let usage: StaticString = "{STATE}"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let isOn: Bool

    init(parsing arguments: inout Arguments) throws(AckError) {
        isOn = try arguments.boolean()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        try context.refuse(isOn, unlessFixedAt: \.isRandom, "random")
        try await context.player.edit(.all()) { $0.setRandom(isOn) }
    }
}
