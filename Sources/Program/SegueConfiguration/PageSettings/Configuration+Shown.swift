import Lidarr
import Logging
import MPDProtocol
import MPDSessions
package import MusicModel
import NetworkAddresses
import Outputs
import Wishes

extension Configuration {
    /// The sections as the page shows them: what people search for, and of secrets only that there are some.
    package var shownSections: [SettingsSection] {
        let services = [lidarr.map(Self.section), prompt.map(Self.section)]
        return [serverSection, webSection]
            + ([navidrome.map(Self.section), local.map(Self.section)] + services).compactMap { $0 }
            + [cacheSection, playbackSection]
            + outputs.map { output in
                SettingsSection(
                    name: "output",
                    keys: [("name", .text(output.name)), ("type", .text(output.type.rawValue))])
            }
    }

    private var serverSection: SettingsSection {
        var keys: [(key: String, value: SettingsSection.Value)] = [
            ("listen", .text(server.listen.map(\.description).joined(separator: ", "))),
            ("state_directory", .text(server.stateDirectory)), ("cache_directory", .text(server.cacheDirectory)),
            ("default_permissions", .text(server.defaultPermissions.names.joined(separator: ", "))),
            ("log_level", .text(server.logLevel.rawValue)),
        ]
        for password in server.passwords {
            keys.append(("password", .secret))
            keys.append(("permissions", .text(password.permissions.names.joined(separator: ", "))))
        }
        return SettingsSection(name: "server", keys: keys)
    }

    private var webSection: SettingsSection {
        SettingsSection(
            name: "web",
            keys: [
                ("listen", .text(web.listen.map(\.description).joined(separator: ", "))),
                ("hosts", .text(web.hosts.joined(separator: ", "))),
                ("trusted_proxies", .text(web.trustedProxies.map(\.description).joined(separator: ", "))),
                ("origins", .text(web.origins.joined(separator: ", "))),
            ])
    }

    private static func section(_ navidrome: Navidrome) -> SettingsSection {
        SettingsSection(
            name: "navidrome",
            keys: [
                ("url", .text(navidrome.url ?? "as stored by segue login")),
                ("username", .text(navidrome.username ?? "as stored by segue login")), ("password", .secret),
                ("format", .text(navidrome.format)), ("scrobble", .text(String(navidrome.scrobble))),
                ("save_queue", .text(String(navidrome.saveQueue))),
            ])
    }

    private static func section(_ local: Local) -> SettingsSection {
        SettingsSection(name: "local", keys: [("music_directory", .text(local.musicDirectory))])
    }

    private static func section(_ prompt: WishServerSettings) -> SettingsSection {
        var keys: [(key: String, value: SettingsSection.Value)] = [
            ("url", .text(prompt.url)), ("model", .text(prompt.model ?? "as the server chooses")),
        ]
        if prompt.key != nil { keys.append(("api_key", .secret)) }
        return SettingsSection(name: "dj.prompt", keys: keys)
    }

    private static func section(_ lidarr: LidarrSettings) -> SettingsSection {
        SettingsSection(
            name: "lidarr",
            keys: [
                ("url", .text(lidarr.url)), ("api_key", .secret),
                ("root_folder", .text(lidarr.rootFolder ?? "as Lidarr chooses")),
                ("quality_profile", .text(lidarr.qualityProfile ?? "that of the root folder")),
                ("metadata_profile", .text(lidarr.metadataProfile ?? "that of the root folder")),
            ])
    }

    private var cacheSection: SettingsSection {
        SettingsSection(
            name: "cache",
            keys: [("size", .text("\(cache.size / 1_000_000) MB")), ("prefetch", .text(String(cache.prefetch)))])
    }

    private var playbackSection: SettingsSection {
        SettingsSection(
            name: "playback",
            keys: [
                ("resume", .text(playback.resume.rawValue)), ("crossfade", .text(String(playback.crossfade))),
                ("replay_gain", .text(playback.replayGain.rawValue)),
            ])
    }
}
