package import MusicModel

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

    /// The texts that it was read from.
    private struct Origin: Sendable {
        let file: String?
        /// The configuration file, with the section of a login that is kept.
        let written: Node
        let environment: [String: String]
        let declared: DeclaredKeys
        let page: PageOverrides
    }

    /// Reads a text, with what the state directory keeps over it and the environment over both.
    ///
    /// - Throws: `ConfigurationError` for a fault of the text or of the environment. A fault of the page's settings is
    ///   a warning.
    init(
        _ text: String, file: String?, environment: [String: String],
        extensions: [any ExtensionSection.Type] = [], kept: (Configuration) -> KeptSettings
    ) throws(ConfigurationError) {
        let declared = DeclaredKeys(extensions)
        var written = try Node(toml: text, file: file ?? "")
        let plain = try ReadConfiguration(written, file: file, environment, declared, page: nil)
        let kept = kept(plain.configuration)
        if kept.hasLogin { written.addEmptySection("navidrome") }
        var page = PageOverrides(kept, declared)
        while true {
            let origin = Origin(
                file: file, written: written, environment: environment, declared: declared, page: page)
            do throws(ConfigurationError) {
                self = try LoadedConfiguration(origin)
                return
            } catch {
                // Each turn leaves out a key at least.
                guard !page.nodes.isEmpty else { throw error }
                page.remove(error)
            }
        }
    }

    private init(_ origin: Origin) throws(ConfigurationError) {
        self.origin = origin
        let read = try ReadConfiguration(
            origin.written, file: origin.file, origin.environment, origin.declared, page: origin.page)
        var configuration = read.configuration
        settingsFile = origin.page.file
        settingsWarning = origin.page.warning
        if let settingsWarning { configuration.warnings.append(settingsWarning) }
        self.configuration = configuration
        settings = read.settings.compactMap { setting in
            guard configuration.navidrome != nil || !setting.key.hasPrefix("navidrome.") else { return nil }
            var setting = setting
            setting.isInFile = origin.written.has(setting.key)
            setting.isOnPage = origin.page.nodes[setting.key] != nil
            return setting
        }
    }

    /// The configuration with other settings of the page, and the text that `settings.toml` has then.
    ///
    /// - Parameter changes: the new values; nil takes a key back to what the configuration says.
    /// - Throws: `SettingRefusal`.
    package func changed(
        by changes: [String: SettingValue?]
    ) throws(SettingRefusal) -> (loaded: LoadedConfiguration, text: String) {
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) { try check(key, isNew: value != nil) }
        var page = origin.page
        page.change(changes)
        do throws(ConfigurationError) {
            let changed = Origin(
                file: origin.file, written: origin.written, environment: origin.environment,
                declared: origin.declared, page: page)
            return (try LoadedConfiguration(changed), page.text)
        } catch {
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

    private static func variable(_ key: String) -> String {
        "SEGUE_" + key.uppercased().replacing(".", with: "_")
    }

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

/// A configuration that was read once, with the keys that the page may set.
struct ReadConfiguration {
    /// The sections, checked and with their defaults.
    let configuration: Configuration
    /// The keys that the page may set, with their values, in the order in which they are shown.
    let settings: [Setting]

    /// Reads nodes, with the page's values over them and the environment's over both.
    init(
        _ written: Node, file: String?, _ environment: [String: String], _ declared: DeclaredKeys, page: PageOverrides?
    ) throws(ConfigurationError) {
        let problems = ProblemList(file: file ?? "")
        var root = EnvironmentOverrides(environment, declared, problems: problems).applied(to: written)
        if let page { root = page.applied(to: root) }
        var configuration = ConfigurationReader(
            directories: DefaultDirectories(environment: environment), problems: problems,
            extensions: declared.extensions
        ).read(root)
        try problems.throwFirst()
        configuration.file = file
        self.configuration = configuration
        settings = problems.writable
    }
}

extension Node {
    /// True if a key is written.
    fileprivate func has(_ key: String) -> Bool {
        var node = self
        for name in key.split(separator: ".") {
            guard case .table(let entries) = node.value, let inner = entries[String(name)] else { return false }
            node = inner
        }
        return true
    }

    /// Writes a section without keys, unless it is there.
    fileprivate mutating func addEmptySection(_ name: String) {
        guard case .table(var entries) = value, entries[name] == nil else { return }
        entries[name] = Node(value: .table([:]), path: name)
        value = .table(entries)
    }
}
