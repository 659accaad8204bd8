import MPDProtocol
import ServerLoop

/// Shows or chooses features of the protocol that clients may opt into.
///
/// - Wire: `protocol` → `feature: NAME` lines of those enabled; `protocol {all|clear|enable|disable|available}
///   [NAME...]`.
/// - Errors: ACK 2 for an unknown sub-command, an unknown or a missing name, arguments too many.
/// - Source: MPD v0.24.13 src/command/ClientCommands.cxx `handle_protocol`, src/client/ProtocolFeature.cxx.
struct ProtocolCommand: Command {
    static let name: StaticString = "protocol"
    static let permission = Permission.none
    static let argumentCount = 0...Int.max
    static let usage: StaticString = "[SUBCOMMAND] [FEATURES...]"
    static let origin = CommandOrigin.mpd(since: "0.24")

    /// Every feature that there is.
    static let features = ["hide_playlists_in_root"]

    private let switches: NamedSwitches

    init(parsing arguments: inout Arguments) throws(AckError) {
        switches = try NamedSwitches(parsing: &arguments, of: Self.features, unknown: "Unknown protocol feature")
    }

    func run(in context: CommandContext, response: inout ResponseWriter) {
        switches.apply(to: &context.client.protocolFeatures, key: "feature: ", response: &response)
    }
}
