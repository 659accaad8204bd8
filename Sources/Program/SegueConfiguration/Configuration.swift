import MPDSessions
package import MusicModel
package import Outputs
package import Playback
package import Players
package import UserLibrary

/// Everything that can be set from outside, checked and with its defaults filled in. The names follow the configuration
/// file, `conf/segue.toml`, in camel case. Each section is a file in `Sections`: its properties with their defaults,
/// and the lines that read their keys.
package struct Configuration: Equatable, Sendable {
    /// Where the values come from: a path as it was given, or nil when there is no file.
    package internal(set) var file: String?
    /// The `[server]` section.
    package var server: Server
    /// The `[navidrome]` section; nil when neither the file nor the environment has one.
    package var navidrome: Navidrome?
    /// The `[local]` section; nil when there is none.
    package var local: Local?
    /// The `[cache]` section.
    package var cache: Cache
    /// The `[playback]` section.
    package var playback: Playback
    /// The `[playlists]` section.
    package var playlists: Playlists
    /// The `[http]` section.
    package var http: HTTP
    /// The `[resolver]` section; nil when there is none.
    package var resolver: ResolverSettings?
    /// The `[web]` section.
    package var web: Web
    /// True for that of `segue demo`.
    package internal(set) var isDemo = false
    /// The `[discovery]` section.
    package var discovery: Discovery
    /// The `[dj]` section.
    package var dj = DJSettings()
    /// The `[[output]]` sections, or the one output named `Default` when there are none.
    package var outputs: [OutputSpecification] = []
    /// The `[[partition]]` sections.
    package var partitions: [PartitionPlan] = []
    /// The `[[station]]` sections.
    package var stations: [Station] = []
    /// Warnings of what is allowed but risky, each a sentence for the log; no secrets in them.
    package internal(set) var warnings: [String] = []
    var extensions = ExtensionSections()
    /// The paths of files that secrets come from.
    package internal(set) var secretFiles: [String] = []
    /// True where the configuration's file itself has something in it that others must not know.
    var holdsSecrets = false

    /// The section of an extension; nil where it says nothing.
    package subscript<Section: ExtensionSection>(_ section: Section.Type) -> Section? { extensions[section] }
}

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
struct ExtensionSections: Equatable, Sendable {
    private var sections: [String: any ExtensionSection] = [:]

    subscript<Section: ExtensionSection>(_ section: Section.Type) -> Section? { sections[Section.name] as? Section }

    mutating func read(_ declared: any ExtensionSection.Type, from section: inout SectionReader) {
        sections[declared.name] = declared.init(reading: &section)
    }

    var shown: [SettingsSection] {
        sections.sorted { $0.key < $1.key }.filter { !$0.value.shown.isEmpty }.map {
            SettingsSection(name: $0.key, keys: $0.value.shown)
        }
    }

    func names(thatDifferFrom other: ExtensionSections) -> [String] {
        Set(sections.keys).union(other.sections.keys).filter { name in
            guard let mine = sections[name], let others = other.sections[name] else { return true }
            return !mine.equals(others)
        }.sorted()
    }

    static func == (a: ExtensionSections, b: ExtensionSections) -> Bool { a.names(thatDifferFrom: b).isEmpty }
}

extension Equatable {
    func equals(_ other: Any) -> Bool { (other as? Self) == self }
}

extension Configuration {
    /// The sections that differ, as they are written in the file and in its order; a new one is found by reflection.
    func sectionsThatDiffer(from other: Configuration) -> [String] {
        let pairs = zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children)
        let differing = pairs.compactMap { mine, theirs -> String? in
            guard let label = mine.label, !Self.notSections.contains(label),
                let mine = mine.value as? any Equatable, !mine.equals(theirs.value)
            else { return nil }
            return Self.written(label)
        }
        return differing + extensions.names(thatDifferFrom: other.extensions).map { "[\($0)]" }
    }

    /// The sections that differ from those of a running server, apart from what it takes over while it runs.
    package func sectionsThatWaitForRestart(of running: Configuration) -> [String] {
        var running = running
        running.server.logLevel = server.logLevel
        running.server.passwords = server.passwords
        running.server.options.access = server.options.access
        // Files of another name are taken over too; only listeners are not.
        if running.server.options.certificate != nil, server.options.certificate != nil {
            running.server.options.certificate = server.options.certificate
        }
        return sectionsThatDiffer(from: running)
    }

    private static let notSections: Set<String> = [
        "file", "warnings", "isDemo", "extensions", "secretFiles", "holdsSecrets",
    ]

    private static func written(_ label: String) -> String {
        ["outputs", "stations", "partitions"].contains(label) ? "[[\(label.dropLast())]]" : "[\(label)]"
    }
}
