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

    private enum Action {
        case list, all, clear, available
        case enable(Set<String>)
        case disable(Set<String>)
    }

    private let action: Action

    init(parsing arguments: inout Arguments) throws(AckError) {
        guard let word = arguments.next() else {
            action = .list
            return
        }
        switch word {
        case "enable": action = .enable(try Self.names(from: &arguments))
        case "disable": action = .disable(try Self.names(from: &arguments))
        case "all", "clear", "available":
            guard arguments.isEmpty else { throw AckError(.argument, "Too many arguments") }
            action = word == "all" ? .all : word == "clear" ? .clear : .available
        default: throw AckError(.argument, "Unknown sub command")
        }
    }

    private static func names(from arguments: inout Arguments) throws(AckError) -> Set<String> {
        guard !arguments.isEmpty else { throw AckError(.argument, "Not enough arguments") }
        var names: Set<String> = []
        while let name = arguments.next()?.lowercased() {
            guard features.contains(name) else { throw AckError(.argument, "Unknown protocol feature") }
            names.insert(name)
        }
        return names
    }

    func run(in context: CommandContext, response: inout ResponseWriter) {
        let client = context.client
        switch action {
        case .list:
            for name in Self.features where client.protocolFeatures.contains(name) { response.line("feature: ", name) }
        case .available: for name in Self.features { response.line("feature: ", name) }
        case .all: client.protocolFeatures = Set(Self.features)
        case .clear: client.protocolFeatures = []
        case .enable(let names): client.protocolFeatures.formUnion(names)
        case .disable(let names): client.protocolFeatures.subtract(names)
        }
    }
}
