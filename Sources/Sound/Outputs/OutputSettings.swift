/// Why a text can't be a setting of an output: the part that isn't understood, and the cure; for a person.
package struct SettingProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Makes a problem.
    package init(_ description: String) { self.description = description }
}

/// The settings that only one type of output has.
package protocol OutputSettings: Hashable, Sendable {
    /// The settings when nothing is configured.
    init()
    /// Reads the keys of the output's section that are theirs.
    mutating func read(from section: inout some OutputKeyReader)
}

/// Reads keys of an output's section; the default stays where a key is not set or wrong.
package protocol OutputKeyReader {
    /// Reads a text.
    /// - Parameter expected: the words for it, such as `a stream's name`.
    mutating func text(_ key: String, _ expected: String, into property: inout String)
    /// Reads a text that need not be set.
    mutating func text(_ key: String, _ expected: String, into property: inout String?)
    /// Reads a whole number.
    mutating func integer(_ key: String, _ range: ClosedRange<Int>, into property: inout Int)
    /// Reads `true` or `false`.
    mutating func flag(_ key: String, into property: inout Bool)
    /// Reads one of an enumeration's words.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String, into property: inout Choice)
}

struct OutputKeyNames: OutputKeyReader {
    private var found: Set<String> = []

    static func names(of settings: any OutputSettings.Type) -> Set<String> {
        var (reader, usual) = (OutputKeyNames(), settings.init())
        usual.read(from: &reader)
        return reader.found
    }

    mutating func text(_ key: String, _ expected: String, into property: inout String) { found.insert(key) }
    mutating func text(_ key: String, _ expected: String, into property: inout String?) { found.insert(key) }
    mutating func integer(_ key: String, _ range: ClosedRange<Int>, into property: inout Int) { found.insert(key) }
    mutating func flag(_ key: String, into property: inout Bool) { found.insert(key) }
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String, into property: inout Choice) {
        found.insert(key)
    }
}

/// The settings of an output that only its type has.
package struct OwnSettings: Hashable, Sendable {
    /// The settings; nil for types without any.
    package let value: (any OutputSettings)?

    /// Holds settings.
    package init(_ value: (any OutputSettings)?) { self.value = value }

    /// The settings of a type, which are the usual ones where the output is of another.
    func of<Settings: OutputSettings>() -> Settings { value as? Settings ?? Settings() }

    /// Replaces the settings; those of another type change nothing.
    mutating func replace<Settings: OutputSettings>(with settings: Settings) {
        if value is Settings { self = OwnSettings(settings) }
    }

    private var comparable: AnyHashable? { value.map { AnyHashable($0) } }
    package static func == (first: Self, second: Self) -> Bool { first.comparable == second.comparable }
    package func hash(into hasher: inout Hasher) { hasher.combine(comparable) }
}
