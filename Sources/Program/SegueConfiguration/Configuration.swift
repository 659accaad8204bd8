package import Players
package import HomeAutomation
package import Lidarr
package import Desktop
package import Outputs
package import UserLibrary
package import Wishes

/// Everything that can be set from outside, checked and with its defaults filled in.
///
/// The names follow the configuration file, `conf/segue.toml`, in camel case. Each section is a file in `Sections`: its
/// properties with their defaults, and the lines that read their keys.
package struct Configuration: Hashable, Sendable {
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
    /// The `[zeroconf]` section.
    package var zeroconf: Zeroconf
    /// The `[desktop]` section.
    package var desktop: MediaControlSettings
    /// The `[mqtt]` section; nil when there is none.
    package var mqtt: BrokerSettings?
    /// The `[web]` section.
    package var web: Web
    /// The `[lidarr]` section; nil when there is none.
    package var lidarr: LidarrSettings?
    /// Whether it is that of `segue demo`.
    package internal(set) var isDemo = false
    /// The `[discovery]` section.
    package var discovery = Discovery()
    /// The `[dj]` section.
    package var dj = DJSettings()
    /// The `[dj.prompt]` section; nil when there is none.
    package var prompt: WishServerSettings?
    /// The `[[output]]` sections, or the one output named `Default` when there are none.
    package var outputs: [OutputSpecification]
    /// The `[[partition]]` sections.
    package var partitions: [PartitionPlan] = []
    /// The `[[station]]` sections.
    package var stations: [Station]
    /// Warnings of what is allowed but risky, each a sentence for the log; no secrets in them.
    package internal(set) var warnings: [String] = []
}
