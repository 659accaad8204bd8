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

    /// Gives the client a password's permissions; the answer to a wrong one comes after a second, or later after many.
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

    static let ping = Command("ping", .none, since: "before 0.12") { _ in
        .immediate { _, _ in }
    }

    /// Shows or chooses features of the protocol that clients may opt into.
    static let `protocol` = Command(
        "protocol", .none, 0...Int.max, "[SUBCOMMAND] [FEATURES...]", since: "0.24"
    ) { arguments in
        let switches = try Switches(
            parsing: &arguments, of: "hide_playlists_in_root", unknown: "Unknown protocol feature")
        return .immediate { context, response in
            try switches.apply(to: &context.client.protocolFeatures, key: "feature: ", response: &response)
        }
    }

    /// Shows or chooses how `search` and its relatives compare texts, as MPD's master (0.25) does. Differs: where a
    /// filter asks for case (`contains_cs`), accents count, too; `searchplaylist` goes by it as well.
    static let stringNormalization = Command(
        "stringnormalization", .none, 0...Int.max, "[SUBCOMMAND] [FEATURES...]", since: "0.25"
    ) { arguments in
        let switches = try Switches(parsing: &arguments, of: stripDiacritics, unknown: "Unknown string normalization")
        return .immediate { context, response in
            try switches.apply(
                to: &context.client.stringNormalizations, key: "stringnormalization: ", response: &response)
        }
    }

    /// Shows or chooses the tags that the client sees. Differs: `Comment` is shown to clients that enable it by name.
    static let tagTypes = Command(
        "tagtypes", .none, 0...Int.max, "[SUBCOMMAND] [TAGS...]", since: "0.13"
    ) { arguments in
        let switches = try Switches(
            parsing: &arguments, of: Tag.allCases.map { ($0.wireName, TagMask($0)) }, all: .standard,
            unknown: "Unknown tag type", isOfTags: true)
        return .immediate { context, response in
            try switches.apply(to: &context.client.tagMask, key: "tagtype: ", response: &response)
        }
    }
}

/// Lets letters match with and without their accents.
private let stripDiacritics: StaticString = "strip_diacritics"

extension CommandContext {
    /// A filter of `search` or a relative as the client wants texts compared.
    @ServerActor
    func normalized(_ filter: SongFilter) -> SongFilter {
        client.stringNormalizations.contains("\(stripDiacritics)") ? filter.strippingDiacritics : filter
    }

    @ServerActor
    func normalized(_ query: SongQuery) -> SongQuery {
        SongQuery(normalized(query.filter), sort: query.sort, window: query.window)
    }
}

/// The sub-commands with which a client lists what it may opt into, and switches it. None lists what is enabled,
/// `available` everything; `all` and `clear`; `enable` and `disable` with names. Those of `tagtypes` also have `reset`,
/// and ignore what stands behind `available`.
private struct Switches<Value: SetAlgebra & Sendable>: Sendable {
    private enum Action {
        case list, available
        case change(@Sendable (inout Value) throws -> Void)
    }

    private let choices: [(name: StaticString, value: Value)]
    private let all: Value
    private let action: Action

    /// Takes a sub-command; throws `AckError` 2, with `unknown` for a name that is none of the choices.
    init(
        parsing arguments: inout Arguments, of choices: [(name: StaticString, value: Value)], all: Value,
        unknown: String, isOfTags: Bool = false
    ) throws(AckError) {
        (self.choices, self.all) = (choices, all)
        let word = arguments.next()
        switch word {
        case nil: action = .list
        case "available" where isOfTags: action = .available
        case "all", "clear", "available":
            guard arguments.isEmpty else { throw AckError(.argument, "Too many arguments") }
            let value: Value = word == "all" ? all : []
            action = word == "available" ? .available : .change { $0 = value }
        case "enable":
            let chosen = try Self.chosen(from: &arguments, choices, unknown)
            action = .change { $0.formUnion(chosen) }
        case "disable":
            let chosen = try Self.chosen(from: &arguments, choices, unknown)
            action = .change { $0.subtract(chosen) }
        case "reset" where isOfTags:
            let chosen: Result<Value, AckError>
            do throws(AckError) { chosen = .success(try Self.chosen(from: &arguments, choices, unknown)) } catch {
                chosen = .failure(error)
            }
            action = .change { enabled in
                // As in MPD, a name that isn't one leaves nothing enabled.
                enabled = []
                enabled = try chosen.get()
            }
        default: throw AckError(.argument, "Unknown sub command")
        }
    }

    private static func chosen(
        from arguments: inout Arguments, _ choices: [(name: StaticString, value: Value)], _ unknown: String
    ) throws(AckError) -> Value {
        guard !arguments.isEmpty else { throw AckError(.argument, "Not enough arguments") }
        var chosen: Value = []
        while let name = arguments.next() {
            guard let choice = choices.first(where: { $0.name.equalsIgnoringCase(name) }) else {
                throw AckError(.argument, unknown)
            }
            chosen.formUnion(choice.value)
        }
        return chosen
    }

    func apply(to enabled: inout Value, key: StaticString, response: inout ResponseWriter) throws {
        if case .change(let change) = action { return try change(&enabled) }
        let shown = if case .list = action { enabled } else { all }
        for (name, value) in choices where shown.isSuperset(of: value) { response.line(key, "\(name)") }
    }
}

extension Switches<Set<String>> {
    init(parsing arguments: inout Arguments, of name: StaticString, unknown: String) throws(AckError) {
        let all: Set = ["\(name)"]
        try self.init(parsing: &arguments, of: [(name, all)], all: all, unknown: unknown)
    }
}
