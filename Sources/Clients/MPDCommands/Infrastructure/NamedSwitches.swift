import MPDProtocol

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
