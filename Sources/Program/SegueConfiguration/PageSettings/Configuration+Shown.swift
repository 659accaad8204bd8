import Logging
import MPDProtocol
import MPDSessions
import MediaCache
package import MusicModel
import NetworkAddresses
import Outputs
import WebServer

extension Configuration {
    /// The sections as the page shows them: what people search for, and of secrets only that there are some.
    package var shownSections: [SettingsSection] {
        [serverSection, webSection] + [navidrome.map(Self.section), local.map(Self.section)].compactMap { $0 }
            + extensions.shown + [cacheSection, playbackSection]
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
            ("default_permissions", .text(server.options.access.defaultPermission.names.joined(separator: ", "))),
            ("log_level", .text(server.logLevel.rawValue)),
        ]
        for password in server.passwords {
            keys.append(("password", .secret))
            keys.append(("permissions", .text(password.entry.permission.names.joined(separator: ", "))))
        }
        return SettingsSection(name: "server", keys: keys)
    }

    private var webSection: SettingsSection {
        SettingsSection(
            name: "web",
            keys: [
                ("listen", .text(web.listen.map(\.description).joined(separator: ", "))),
                ("hosts", .text(web.settings.hosts.joined(separator: ", "))),
                ("trusted_proxies", .text(web.settings.trustedProxies.map(\.description).joined(separator: ", "))),
                ("origins", .text(web.settings.origins.joined(separator: ", "))),
            ])
    }

    private static func section(_ navidrome: Navidrome) -> SettingsSection {
        SettingsSection(
            name: "navidrome",
            keys: [
                ("url", .text(navidrome.url ?? "as stored by segue login")),
                ("username", .text(navidrome.username ?? "as stored by segue login")), ("password", .secret),
                ("format", .text(navidrome.form.format)), ("scrobble", .text(String(navidrome.scrobble))),
                ("save_queue", .text(String(navidrome.saveQueue))),
            ])
    }

    private static func section(_ local: Local) -> SettingsSection {
        SettingsSection(name: "local", keys: [("music_directory", .text(local.musicDirectory))])
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
