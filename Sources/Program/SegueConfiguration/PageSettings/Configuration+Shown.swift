import Logging
import MPDProtocol
import MPDSessions
import MediaCache
package import MusicModel
import NetworkAddresses
import Outputs
import Players
import Sync
import WebServer

extension Configuration {
    /// The sections as the page shows them: what people search for, and of secrets only that there are some.
    package var shownSections: [SettingsSection] {
        let folder = local.map {
            SettingsSection(name: "local", keys: [("music_directory", .text($0.musicDirectory))])
        }
        let cacheSection = SettingsSection(
            name: "cache",
            keys: [("size", .text("\(cache.size / 1_000_000) MB")), ("prefetch", .text("\(cache.prefetch)"))])
        let playbackSection = SettingsSection(
            name: "playback",
            keys: [
                ("resume", .text(playback.beginning.resume.rawValue)),
                ("crossfade", .text("\(playback.beginning.crossfade)")),
                ("replay_gain", .text(playback.beginning.replayGain.rawValue)),
            ])
        return [serverSection, webSection] + [navidrome.map(Self.section), folder].compactMap { $0 }
            + extensions.shown + [cacheSection, playbackSection]
            + outputs.map { output in
                SettingsSection(
                    name: "output",
                    keys: [("name", .text(output.name)), ("type", .text(output.type.rawValue))])
            }
    }

    private var serverSection: SettingsSection {
        let passwords = server.passwords.flatMap { password -> [(key: String, value: SettingsSection.Value)] in
            [("password", .secret), ("permissions", .text(password.entry.permission.names.joined(separator: ", ")))]
        }
        return SettingsSection(
            name: "server",
            keys: [
                ("listen", Self.list(server.listen)), ("state_directory", .text(server.stateDirectory)),
                ("cache_directory", .text(server.cacheDirectory)),
                ("default_permissions", Self.list(server.options.access.defaultPermission.names)),
                ("log_level", .text(server.logLevel.rawValue)),
            ] + passwords)
    }

    private var webSection: SettingsSection {
        SettingsSection(
            name: "web",
            keys: [
                ("listen", Self.list(web.listen)), ("hosts", Self.list(web.settings.hosts)),
                ("trusted_proxies", Self.list(web.settings.trustedProxies)),
                ("origins", Self.list(web.settings.origins)),
            ])
    }

    private static func list(_ values: [some CustomStringConvertible]) -> SettingsSection.Value {
        .text(values.map(\.description).joined(separator: ", "))
    }

    private static func section(_ navidrome: Navidrome) -> SettingsSection {
        SettingsSection(
            name: "navidrome",
            keys: [
                ("url", .text(navidrome.url ?? "as stored by segue login")),
                ("username", .text(navidrome.username ?? "as stored by segue login")), ("password", .secret),
                ("format", .text(navidrome.form.format)), ("scrobble", .text("\(navidrome.scrobbling.isEnabled)")),
                ("save_queue", .text("\(navidrome.saveQueue)")),
            ])
    }
}
