package import Logging
package import MusicModel
import Synchronization

/// The settings that the page shows and changes while the server runs.
///
/// - Isolation: any; reading and writing files blocks, and others wait meanwhile.
package final class SettingsStore: Sendable {
    private let loader: ConfigurationLoader
    /// The values that the server began with.
    private let started: [String: SettingValue]
    private let latest: Mutex<Latest>

    private struct Latest {
        var settings: [Setting]
        var logLevel: Logger.Level
    }

    /// Follows a server that began with a configuration.
    ///
    /// - Parameter loader: reads that configuration again.
    package init(_ loader: ConfigurationLoader, running: LoadedConfiguration) {
        var loader = loader
        // A file that appears in another of the usual places is not this server's.
        loader.path = running.configuration.file ?? loader.path
        self.loader = loader
        started = Dictionary(uniqueKeysWithValues: running.settings.map { ($0.key, $0.value) })
        latest = Mutex(Latest(settings: running.settings, logLevel: running.configuration.server.logLevel))
    }

    /// The keys that the page may set, with the values that were read last.
    package var settings: [Setting] {
        latest.withLock { $0.settings }.map { setting in
            var setting = setting
            setting.waitsForRestart = !setting.isTakenOverAtOnce && started[setting.key] != setting.value
            return setting
        }
    }

    /// How much is to be logged.
    package var logLevel: Logger.Level { latest.withLock { $0.logLevel } }

    /// The configuration of the server, with what was taken over since.
    package func inUse(of configuration: Configuration) -> Configuration {
        var configuration = configuration
        configuration.server.logLevel = logLevel
        return configuration
    }

    /// Reads everything again.
    ///
    /// - Throws: `ConfigurationError`; all stays as it was then.
    package func reload() throws(ConfigurationError) -> LoadedConfiguration {
        try latest.withLock { latest throws(ConfigurationError) in
            let loaded = try loader.loadForServing()
            Self.take(loaded, into: &latest)
            return loaded
        }
    }

    /// Changes settings, and keeps them in the state directory.
    ///
    /// - Parameter changes: the new values; nil takes a key back to what the configuration says.
    /// - Throws: `SettingRefusal`; all stays as it was then.
    package func change(_ changes: [String: SettingValue?]) throws(SettingRefusal) {
        try latest.withLock { latest throws(SettingRefusal) in
            let before: LoadedConfiguration
            do { before = try loader.loadForServing() } catch {
                throw SettingRefusal(.conflict, nil, "Fix the configuration first: \(error)")
            }
            let (after, text) = try before.changed(by: changes)
            do { try PrivateFile.write(text, to: after.settingsFile) } catch {
                throw SettingRefusal(.unwritable, nil, "The settings can't be saved: \(error)")
            }
            Self.take(after, into: &latest)
        }
    }

    private static func take(_ loaded: LoadedConfiguration, into latest: inout Latest) {
        latest = Latest(settings: loaded.settings, logLevel: loaded.configuration.server.logLevel)
    }
}
