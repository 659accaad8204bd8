import MPDProtocol
import MusicModel
import ServerLoop

/// Shows or chooses the tags that the client sees.
///
/// - Wire: `tagtypes` → `tagtype: NAME` lines, basic tags before the MusicBrainz ones;
///   `tagtypes {all|clear|enable|disable|reset|available} [NAME...]`.
/// - Errors: ACK 2 for an unknown sub-command, an unknown or a missing name, arguments too many.
/// - Source: MPD v0.24.13 src/command/ClientCommands.cxx `handle_tagtypes`, src/TagPrint.cxx. Differs: `Comment`,
///   which MPD leaves out unless it is configured, is shown to clients that enable it by name.
struct TagTypesCommand: ImmediateCommand {
    static let name: StaticString = "tagtypes"
    static let permission = Permission.none
    static let argumentCount = 0...Int.max
    static let usage: StaticString = "[SUBCOMMAND] [TAGS...]"
    static let origin = CommandOrigin.mpd(since: "0.13")

    private enum Action {
        case list, all, clear, available
        case enable(TagMask)
        case disable(TagMask)
        case reset(Result<TagMask, AckError>)
    }

    private let action: Action

    init(parsing arguments: inout Arguments) throws(AckError) {
        guard let word = arguments.next() else {
            action = .list
            return
        }
        switch word {
        case "all", "clear":
            guard arguments.isEmpty else { throw AckError(.argument, "Too many arguments") }
            action = word == "all" ? .all : .clear
        case "enable": action = .enable(try arguments.tagMask())
        case "disable": action = .disable(try arguments.tagMask())
        case "reset": action = .reset(Self.mask(&arguments))
        case "available":
            while arguments.next() != nil {}
            action = .available
        default: throw AckError(.argument, "Unknown sub command")
        }
    }

    private static func mask(_ arguments: inout Arguments) -> Result<TagMask, AckError> {
        do throws(AckError) {
            return .success(try arguments.tagMask())
        } catch {
            return .failure(error)
        }
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        let client = context.client
        switch action {
        case .list: Self.write(client.tagMask, to: &response)
        case .available: Self.write(.standard, to: &response)
        case .all: client.tagMask = .standard
        case .clear: client.tagMask = []
        case .enable(let mask): client.tagMask.formUnion(mask)
        case .disable(let mask): client.tagMask.subtract(mask)
        case .reset(let mask):
            // As in MPD, a name that isn't one leaves nothing enabled.
            client.tagMask = []
            client.tagMask = try mask.get()
        }
    }

    private static func write(_ mask: TagMask, to response: inout ResponseWriter) {
        for tag in Tag.allCases where mask.contains(tag) { response.line("tagtype: ", "\(tag.wireName)") }
    }
}
