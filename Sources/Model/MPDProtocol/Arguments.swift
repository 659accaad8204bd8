package import MusicModel

/// A command's arguments, unquoted, consumed from the front; the grammar that commands share is in extensions.
package struct Arguments: Sendable {
    /// The arguments that were not consumed yet.
    package private(set) var remaining: ArraySlice<String>

    /// Wraps a command's arguments, without its name.
    package init(_ values: [String]) { remaining = values[...] }

    /// How many are left.
    package var count: Int { remaining.count }
    /// True if none are left.
    package var isEmpty: Bool { remaining.isEmpty }

    /// Takes the next argument, or nil.
    package mutating func next() -> String? { remaining.popFirst() }

    /// Reads the next argument without taking it.
    package var peek: String? { remaining.first }

    mutating func popLast() -> String? { remaining.popLast() }
}

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

/// A range of positions as clients write it: `5`, `2:7`, `2:`, or `-1` for everything.
package struct ArgumentRange: Hashable, Sendable {
    /// The first position.
    package var start: Int
    /// The position behind the last one; nil is the end, wherever that is.
    package var end: Int?

    /// Makes a range; `end` is not below `start`.
    package init(_ start: Int, _ end: Int?) {
        self.start = start
        self.end = end
    }

    /// `0:`, from the first position to the end.
    package static let everything = ArgumentRange(0, nil)

    /// The positions within `count`, the end clipped; nil when the start lies beyond `count`, which is an error.
    package func clipped(to count: Int) -> Range<Int>? {
        guard start <= count else { return nil }
        return start..<max(start, min(end ?? count, count))
    }

    /// The range for a query's window; nil is everything.
    package var window: Range<Int>? { start == 0 && end == nil ? nil : start..<(end ?? .max) }
}

/// A place in the queue as clients write it: `7`, `+0`, `-2`; its bounds are the command's to check.
package enum ArgumentPosition: Hashable, Sendable {
    case absolute(Int)
    case afterCurrent(Int)
    case beforeCurrent(Int)
}

/// Where `seekcur` goes: `12.5`, or `+5` and `-5` from where the song is.
package enum SeekTarget: Hashable, Sendable {
    /// A place in the song; may be negative if a client wrote `-0`, never otherwise.
    case absolute(Duration)
    case relative(Duration)
}
