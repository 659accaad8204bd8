import MPDProtocol
import Playback
import ServerLoop

/// Pauses after a while. Without an argument it says how many seconds are left.
///
/// - Wire: `sleeptimer [MINUTES]` → `OK`, or `sleep: SECONDS` while it is set. 0 switches it off. `status` has `sleep`,
///   too. Example: `sleeptimer 30`.
/// - Errors: ACK 2 for what is no number from 0 to 1440.
/// - Source: ours; MPD has nothing like it.
struct SleepTimerCommand: ImmediateCommand {
    static let name: StaticString = "sleeptimer"
    static let permission = Permission.player
    static let argumentCount = 0...1
    static let usage: StaticString = "[MINUTES]"
    static let origin = CommandOrigin.segue

    private let minutes: Double?

    init(parsing arguments: inout Arguments) throws(AckError) {
        guard let text = arguments.peek else {
            minutes = nil
            return
        }
        let minutes = try arguments.float()
        guard (0...1440).contains(minutes) else { throw .badArgument("Number from 0 to 1440 expected", text) }
        self.minutes = minutes
    }

    func run(in context: CommandContext, response: inout ResponseWriter) {
        if let minutes {
            context.player.setSleepTimer(after: minutes == 0 ? nil : .seconds(minutes * 60))
        } else if let rest = context.player.status.sleepsIn {
            response.line("sleep: ", rest)
        }
    }
}
