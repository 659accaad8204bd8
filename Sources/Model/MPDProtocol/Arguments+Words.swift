package import MusicModel

// Names of tags, events, options and permissions; the texts of errors are MPD's own (v0.24.13).

extension StaticString {
    /// True if `text` is this name, ASCII letters compared without regard to case.
    package func equalsIgnoringCase(_ text: String) -> Bool {
        guard text.utf8.count == utf8CodeUnitCount else { return false }
        return withUTF8Buffer { name in
            zip(name, text.utf8).allSatisfy { $0.lowercased == $1.lowercased }
        }
    }
}

extension Tag {
    /// Finds a tag by its name on the wire, in any case.
    package init?(wireName text: String) {
        guard let tag = Tag.allCases.first(where: { $0.wireName.equalsIgnoringCase(text) }) else { return nil }
        self = tag
    }
}

extension Subsystem {
    /// Finds a subsystem by its name on the wire, in any case.
    package init?(wireName text: String) {
        guard let found = Subsystem.named.first(where: { $0.name.equalsIgnoringCase(text) }) else { return nil }
        self = found.subsystem
    }
}

extension Permission {
    /// The permissions with their names in configurations and in JSON.
    package static let named: [(permission: Permission, name: String)] = [
        (.read, "read"), (.add, "add"), (.player, "player"), (.control, "control"), (.admin, "admin"),
    ]

    /// Their names in configurations and JSON, in the order of MPD.
    package var names: [String] { Self.named.filter { contains($0.permission) }.map(\.name) }

    /// The set of these names, in which `control` brings `player` with it, as in MPD; nil when one is unknown.
    package init?(names: [String]) {
        self = []
        for name in names {
            guard let found = Self.named.first(where: { $0.name == name }) else { return nil }
            insert(found.permission)
        }
        if contains(.control) { insert(.player) }
    }
}

extension Arguments {
    /// Takes a tag's name, in any case.
    package mutating func tag() throws(AckError) -> Tag {
        let text = try string()
        guard let tag = Tag(wireName: text) else { throw .unknownWord("Unknown tag type", text) }
        return tag
    }

    /// Takes all that is left as names of subsystems; none means all of them, as `idle` has it.
    package mutating func subsystems() throws(AckError) -> Subsystem {
        var wanted: Subsystem = []
        while let text = next() {
            guard let subsystem = Subsystem(wireName: text) else { throw .unknownWord("Unrecognized idle event", text) }
            wanted.insert(subsystem)
        }
        return wanted.isEmpty ? .everything : wanted
    }

    /// Takes `0`, `1` or `oneshot`; `option` is `single` or `consume`.
    package mutating func oneshot(_ option: StaticString) throws(AckError) -> OneshotOption {
        guard let value = OneshotOption(rawValue: try string()) else {
            throw AckError(.argument, "Unrecognized \(option) mode, expected 0, 1, or oneshot")
        }
        return value
    }
}
