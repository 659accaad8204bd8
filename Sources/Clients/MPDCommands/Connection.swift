import MPDProtocol
import MusicModel
import ServerLoop

extension Command {
    /// Sets how large the chunks of pictures may be, up to MPD's default output buffer of 8 MiB less 4 KiB.
    static let binaryLimit = Command("binarylimit", .none, 1...1, "{SIZE}", since: "0.22.4") { arguments in
        let bytes = try arguments.unsigned(maximum: 8192 * 1024 - 4096)
        guard bytes >= 64 else { throw AckError(.argument, "Value too small") }
        return .immediate { context, _ in context.client.binaryLimit = bytes }
    }

    /// Ends the connection without an answer.
    static let close = Command("close", .none, 0...Int.max, since: "before 0.12") { _ in
        .close
    }

    /// Ends the server in order, if the configuration allows that.
    static let kill = Command(
        "kill", .admin, 0...Int.max, since: "before 0.12", isAvailable: { $0.facts.shutDown != nil }
    ) { _ in
        .immediate { context, _ in
            guard let shutDown = context.server.facts.shutDown else {
                throw AckError(.permission, "you don't have permission for \"kill\"")
            }
            shutDown()
        }
    }

    /// Gives the client the permissions that belong to a password; its next commands wait. The answer to a wrong one
    /// comes after a second, or later after many.
    static let password = Command("password", .none, 1...1, "{PASSWORD}", since: "before 0.12") { arguments in
        let password = try arguments.string()
        return .suspending { context, _ in
            let client = context.client
            guard let grant = try await context.server.parts.passwords?.grant(for: password, from: client.peer) else {
                throw AckError(.password, "incorrect password")
            }
            (client.permission, client.claim) = (grant.permission, .password(grant.entry))
        }
    }

    /// Does nothing.
    static let ping = Command("ping", .none, since: "before 0.12") { _ in
        .immediate { _, _ in }
    }

    /// Shows or chooses features of the protocol that clients may opt into.
    static let `protocol` = Command(
        "protocol", .none, 0...Int.max, "[SUBCOMMAND] [FEATURES...]", since: "0.24"
    ) { arguments in
        let switches = try NamedSwitches(
            parsing: &arguments, of: ["hide_playlists_in_root"], unknown: "Unknown protocol feature")
        return .immediate { context, response in
            switches.apply(to: &context.client.protocolFeatures, key: "feature: ", response: &response)
        }
    }

    /// Shows or chooses how `search` and its relatives compare texts: `strip_diacritics` lets `a` find `á`.
    ///
    /// - Source: MPD's master (0.25). Differs: where a filter asks for case (`contains_cs`), accents count, too;
    ///   `searchplaylist` goes by it as well.
    static let stringNormalization = Command(
        "stringnormalization", .none, 0...Int.max, "[SUBCOMMAND] [FEATURES...]", since: "0.25"
    ) { arguments in
        let switches = try NamedSwitches(
            parsing: &arguments, of: [stripDiacritics], unknown: "Unknown string normalization")
        return .immediate { context, response in
            switches.apply(
                to: &context.client.stringNormalizations, key: "stringnormalization: ", response: &response)
        }
    }

    /// Shows or chooses the tags that the client sees. Differs: `Comment`, which MPD leaves out unless it is
    /// configured, is shown to clients that enable it by name.
    static let tagTypes = Command(
        "tagtypes", .none, 0...Int.max, "[SUBCOMMAND] [TAGS...]", since: "0.13"
    ) { arguments in
        let action = try TagTypesAction(parsing: &arguments)
        return .immediate { context, response in try action.run(for: context.client, response: &response) }
    }
}

/// Lets letters match with and without their accents.
private let stripDiacritics = "strip_diacritics"

private enum TagTypesAction {
    case list, all, clear, available
    case enable(TagMask)
    case disable(TagMask)
    case reset(Result<TagMask, AckError>)

    init(parsing arguments: inout Arguments) throws(AckError) {
        let word = arguments.next()
        switch word {
        case nil: self = .list
        case "all", "clear":
            guard arguments.isEmpty else { throw AckError(.argument, "Too many arguments") }
            self = word == "all" ? .all : .clear
        case "enable": self = .enable(try arguments.tagMask())
        case "disable": self = .disable(try arguments.tagMask())
        case "reset":
            do throws(AckError) { self = .reset(.success(try arguments.tagMask())) } catch {
                self = .reset(.failure(error))
            }
        case "available": self = .available
        default: throw AckError(.argument, "Unknown sub command")
        }
    }

    @ServerActor
    func run(for client: ClientState, response: inout ResponseWriter) throws {
        switch self {
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

extension CommandContext {
    /// A filter of `search` or a relative as the client wants texts compared.
    @ServerActor
    func normalized(_ filter: SongFilter) -> SongFilter {
        client.stringNormalizations.contains(stripDiacritics)
            ? filter.strippingDiacritics : filter
    }

    @ServerActor
    func normalized(_ query: SongQuery) -> SongQuery {
        SongQuery(normalized(query.filter), sort: query.sort, window: query.window)
    }
}

/// The sub-commands with which a client lists what it may opt into, and switches it: those of `protocol` and of
/// `stringnormalization`.
///
/// - Wire: nothing lists what is enabled, `available` everything; `all` and `clear`; `enable` and `disable` with names.
struct NamedSwitches: Sendable {
    private enum Action {
        case list, all, clear, available
        case enable(Set<String>)
        case disable(Set<String>)
    }

    private let names: [String]
    private let action: Action

    /// Takes a sub-command; nothing is looked up.
    ///
    /// - Parameters:
    ///   - names: everything that can be switched, in lower case.
    ///   - unknown: the message for any other name.
    /// - Throws: `AckError` 2.
    init(parsing arguments: inout Arguments, of names: [String], unknown: String) throws(AckError) {
        self.names = names
        guard let word = arguments.next() else {
            action = .list
            return
        }
        switch word {
        case "enable": action = .enable(try Self.chosen(from: &arguments, of: names, unknown))
        case "disable": action = .disable(try Self.chosen(from: &arguments, of: names, unknown))
        case "all", "clear", "available":
            guard arguments.isEmpty else { throw AckError(.argument, "Too many arguments") }
            action = word == "all" ? .all : word == "clear" ? .clear : .available
        default: throw AckError(.argument, "Unknown sub command")
        }
    }

    private static func chosen(
        from arguments: inout Arguments, of names: [String], _ unknown: String
    ) throws(AckError) -> Set<String> {
        guard !arguments.isEmpty else { throw AckError(.argument, "Not enough arguments") }
        var chosen: Set<String> = []
        while let name = arguments.next()?.lowercased() {
            guard names.contains(name) else { throw AckError(.argument, unknown) }
            chosen.insert(name)
        }
        return chosen
    }

    /// Changes what is enabled, or appends lines with `key`.
    func apply(to enabled: inout Set<String>, key: StaticString, response: inout ResponseWriter) {
        switch action {
        case .list: for name in names where enabled.contains(name) { response.line(key, name) }
        case .available: for name in names { response.line(key, name) }
        case .all: enabled = Set(names)
        case .clear: enabled = []
        case .enable(let names): enabled.formUnion(names)
        case .disable(let names): enabled.subtract(names)
        }
    }
}
