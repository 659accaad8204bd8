package import MusicModel

/// A section of the configuration that an extension of the program declares, with a property for each key.
package protocol ExtensionSection: Equatable, Sendable {
    /// The name in its brackets, such as `lidarr`; `dj.prompt` stands inside of `[dj]`.
    static var name: String { get }

    /// Reads the keys, and notes in the section what is wrong; nil where only a written section says something.
    init?(reading section: inout SectionReader)

    /// The keys that the page and reports show; an empty list hides the section there.
    var shown: [(key: String, value: SettingsSection.Value)] { get }
}

extension ExtensionSection {
    package var shown: [(key: String, value: SettingsSection.Value)] { [] }
}

/// The sections of extensions in a configuration.
package struct ExtensionSections: Equatable, Sendable {
    private var sections: [String: any ExtensionSection] = [:]

    /// The section of a type; nil where it says nothing.
    subscript<Section: ExtensionSection>(_ section: Section.Type) -> Section? { sections[Section.name] as? Section }

    /// Keeps what a section says; nothing where it says nothing.
    mutating func read(_ declared: any ExtensionSection.Type, from section: inout SectionReader) {
        sections[declared.name] = declared.init(reading: &section)
    }

    /// The sections as the page shows them.
    var shown: [SettingsSection] {
        sections.sorted { $0.key < $1.key }.filter { !$0.value.shown.isEmpty }.map {
            SettingsSection(name: $0.key, keys: $0.value.shown)
        }
    }

    /// Compares section by section, in the order of names.
    func names(thatDifferFrom other: ExtensionSections) -> [String] {
        Set(sections.keys).union(other.sections.keys).filter { name in
            guard let mine = sections[name], let others = other.sections[name] else { return true }
            return !mine.equals(others)
        }.sorted()
    }

    package static func == (a: ExtensionSections, b: ExtensionSections) -> Bool { a.names(thatDifferFrom: b).isEmpty }
}

extension Equatable {
    /// True where a value of any type is of this one and equal.
    func equals(_ other: Any) -> Bool { (other as? Self) == self }
}
