package import Players
package import Outputs
package import UserLibrary

/// Everything that can be set from outside, checked and with its defaults filled in.
///
/// The names follow the configuration file, `conf/segue.toml`, in camel case. Each section is a file in `Sections`: its
/// properties with their defaults, and the lines that read their keys.
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
    package var http = HTTP()
    /// The `[resolver]` section; nil when there is none.
    package var resolver: Resolver?
    /// The `[web]` section.
    package var web: Web
    /// True for that of `segue demo`.
    package internal(set) var isDemo = false
    /// The `[discovery]` section.
    package var discovery = Discovery()
    /// The `[dj]` section.
    package var dj = DJSettings()
    /// The `[[output]]` sections, or the one output named `Default` when there are none.
    package var outputs: [OutputSpecification]
    /// The `[[partition]]` sections.
    package var partitions: [PartitionPlan] = []
    /// The `[[station]]` sections.
    package var stations: [Station]
    /// Warnings of what is allowed but risky, each a sentence for the log; no secrets in them.
    package internal(set) var warnings: [String] = []
    /// The sections that extensions declare.
    package internal(set) var extensions = ExtensionSections()
    /// The paths of files that secrets come from.
    package internal(set) var secretFiles: [String] = []
    /// True where the configuration's file itself has something in it that others must not know.
    var holdsSecrets = false

    /// The section of an extension; nil where it says nothing.
    package subscript<Section: ExtensionSection>(_ section: Section.Type) -> Section? { extensions[section] }
}
