package import Logging
package import MusicModel
import Synchronization

/// A configuration with the settings of the page in it, and what the page may change.
package struct LoadedConfiguration: Sendable {
    /// The configuration as it counts.
    package let configuration: Configuration
    /// The keys that the page may set, in the order in which they are shown.
    package let settings: [Setting]
    /// The path of `settings.toml`, to which the page writes.
    package let settingsFile: String
    /// One line about what is wrong with that file; nil when nothing is. It is among the configuration's warnings, too.
    package let settingsWarning: String?
    private let origin: Origin

    private struct Origin: Sendable {
        let file: String?
        /// The configuration file, with the section of a login that is kept.
        let written: Node
        let environment: [String: String]
        let declared: DeclaredKeys
        var page: PageOverrides
    }

    /// Reads a text, with what the state directory keeps over it and the environment over both. A fault of the page's
    /// settings is a warning.
    init(
        _ text: String, file: String?, environment: [String: String],
        extensions: [any ExtensionSection.Type] = [], kept: (Configuration) -> KeptSettings
    ) throws(ConfigurationError) {
        let declared = DeclaredKeys(extensions)
        var written = try Node(toml: text, file: file ?? "")
        let kept = kept(try Configuration.read(written, file: file, environment, declared, page: nil).configuration)
        if kept.hasLogin { written = written.changing(["navidrome"]) { _ in } }
        var origin = Origin(
            file: file, written: written, environment: environment, declared: declared,
            page: PageOverrides(kept, declared))
        while true {
            do throws(ConfigurationError) {
                self = try LoadedConfiguration(origin)
                return
            } catch {
                // Each turn leaves out a key at least.
                guard !origin.page.nodes.isEmpty else { throw error }
                origin.page.remove(error)
            }
        }
    }

    private init(_ origin: Origin) throws(ConfigurationError) {
        self.origin = origin
        var (configuration, settings) = try Configuration.read(
            origin.written, file: origin.file, origin.environment, origin.declared, page: origin.page)
        settingsFile = origin.page.file
        settingsWarning = origin.page.warning
        if let settingsWarning { configuration.warnings.append(settingsWarning) }
        self.configuration = configuration
        if configuration.navidrome == nil { settings.removeAll { $0.key.hasPrefix("navidrome.") } }
        for index in settings.indices {
            settings[index].isInFile = origin.written.has(settings[index].key)
            settings[index].isOnPage = origin.page.nodes[settings[index].key] != nil
        }
        self.settings = settings
    }

    /// The configuration with other settings of the page, and the text that `settings.toml` has then; nil takes a key
    /// back to what the configuration says.
    package func changed(
        by changes: [String: SettingValue?]
    ) throws(SettingRefusal) -> (loaded: LoadedConfiguration, text: String) {
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) { try check(key, isNew: value != nil) }
        var origin = origin
        origin.page.change(changes)
        do throws(ConfigurationError) { return (try LoadedConfiguration(origin), origin.page.text) } catch {
            let key = error.key.flatMap { changes.keys.contains($0) ? $0 : nil }
            throw SettingRefusal(.wrong, key, key.map { "\($0): \(error.message)" } ?? "\(error)")
        }
    }

    private func check(_ key: String, isNew: Bool) throws(SettingRefusal) {
        if let refusal = origin.declared.refusal(of: key) { throw refusal }
        guard isNew else { return }
        guard let setting = settings.first(where: { $0.key == key }) else {
            throw SettingRefusal(.conflict, key, "\(key) has no effect without a [navidrome] in the configuration.")
        }
        if setting.source == .environment {
            throw SettingRefusal(
                .conflict, key, "\(Self.variable(key)) in Segue's environment sets it and overrides the page."
            )
        }
    }

    private static func variable(_ key: String) -> String { "SEGUE_" + key.uppercased().replacing(".", with: "_") }

    /// Which keys the page has set, for the report of `segue check`; nil when it has set none.
    package var settingsReport: String? {
        let keys = settings.filter(\.isOnPage)
        guard !keys.isEmpty else { return nil }
        var text = "\(settingsFile) contains settings from the page: \(keys.map(\.key).joined(separator: ", "))"
        let inBoth = keys.filter { $0.isInFile && $0.source == .page }.map(\.key)
        if !inBoth.isEmpty {
            text +=
                "; the page overrides \(origin.file ?? "the configuration file") in "
                + inBoth.joined(separator: ", ")
        }
        let overruled = keys.filter { $0.source == .environment }.map { Self.variable($0.key) }
        if !overruled.isEmpty { text += "; the environment takes precedence: \(overruled.joined(separator: ", "))" }
        return text
    }
}

extension Node {
    func has(_ key: String) -> Bool {
        var node = self
        for name in key.split(separator: ".") {
            guard case .table(let entries) = node.value, let inner = entries[String(name)] else { return false }
            node = inner
        }
        return true
    }

    /// The same with other keys in the section at a path below this one, which is there from then on.
    func changing(_ path: ArraySlice<String>, _ change: (inout [String: Node]) -> Void) -> Node {
        // A value that is no section stays, to be complained about.
        guard case .table(var entries) = value else { return self }
        if let name = path.first {
            let inner = Node(value: .table([:]), path: self.path.isEmpty ? name : "\(self.path).\(name)")
            entries[name] = (entries[name] ?? inner).changing(path.dropFirst(), change)
        } else {
            change(&entries)
        }
        var node = self
        node.value = .table(entries)
        return node
    }
}

/// The settings that the page shows and changes while the server runs.
/// - Isolation: any; reading and writing files blocks, and others wait meanwhile.
package final class SettingsStore: Sendable {
    private let loader: ConfigurationLoader
    private let started: [String: SettingValue]
    private let latest: Mutex<LoadedConfiguration>

    /// Follows a server that began with a configuration, which `loader` reads again.
    package init(_ loader: ConfigurationLoader, running: LoadedConfiguration) {
        var loader = loader
        // A file that appears in another of the usual places is not this server's.
        loader.path = running.configuration.file ?? loader.path
        self.loader = loader
        started = Dictionary(uniqueKeysWithValues: running.settings.map { ($0.key, $0.value) })
        latest = Mutex(running)
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
    package var logLevel: Logger.Level { latest.withLock { $0.configuration.server.logLevel } }

    /// The configuration of the server, with what was taken over since.
    package func inUse(of configuration: Configuration) -> Configuration {
        var configuration = configuration
        configuration.server.logLevel = logLevel
        return configuration
    }

    /// Reads everything again; an error leaves all as it was.
    package func reload() throws(ConfigurationError) -> LoadedConfiguration {
        try latest.withLock { latest throws(ConfigurationError) in
            latest = try loader.loadForServing()
            return latest
        }
    }

    /// Changes settings, and keeps them in the state directory; nil takes a key back to what the configuration says,
    /// and an error leaves all as it was.
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
            latest = after
        }
    }
}
