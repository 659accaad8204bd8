import MPDProtocol
import Playback
import ServerLoop

/// Sets how fast songs play; their pitch stays. Without an argument it says how fast they do.
///
/// - Wire: `speed [FACTOR]` → `OK`, or `speed: FACTOR`. Example: `speed 1.25`. `status` has `speed` while it isn't 1.
/// - Errors: ACK 2 for what is no number from 0.5 to 3.
/// - Source: ours; MPD has nothing like it.
struct SpeedCommand: ImmediateCommand {
    static let name: StaticString = "speed"
    static let permission = Permission.player
    static let argumentCount = 0...1
    static let usage: StaticString = "[FACTOR]"
    static let origin = CommandOrigin.segue

    private let speed: Double?

    init(parsing arguments: inout Arguments) throws(AckError) {
        guard let text = arguments.peek else {
            speed = nil
            return
        }
        let speed = try arguments.float()
        guard Player.speeds.contains(speed) else { throw .badArgument("Number from 0.5 to 3 expected", text) }
        self.speed = speed
    }

    func run(in context: CommandContext, response: inout ResponseWriter) {
        if let speed {
            context.player.setSpeed(speed)
        } else {
            response.line("speed: ", decimal: context.player.status.speed)
        }
    }
}
