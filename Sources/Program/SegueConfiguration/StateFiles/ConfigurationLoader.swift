/// Reads the configuration with what its state directory adds: the settings of the page and a login that is kept.
package struct ConfigurationLoader: Sendable {
    /// The configuration file; nil looks in the usual places.
    package var path: String?
    /// The process's environment, which counts more than files.
    package let environment: [String: String]
    /// The sections that extensions declare.
    package let extensions: [any ExtensionSection.Type]

    /// Names the file, the process's environment, and the sections that extensions declare.
    package init(path: String?, environment: [String: String], extensions: [any ExtensionSection.Type] = []) {
        (self.path, self.environment, self.extensions) = (path, environment, extensions)
    }

    /// Reads the configuration, or makes one from the stored credentials when there is no file at all.
    ///
    /// - Throws: `ConfigurationError`.
    package func load() throws(ConfigurationError) -> LoadedConfiguration {
        do throws(ConfigurationError) { return try load(findingLogin: false) } catch {
            guard error.code == .notFound else { throw error }
            let signedIn = try withoutFile()
            guard signedIn.configuration.navidrome != nil else { throw error }
            return signedIn
        }
    }

    /// The same for the server, which also starts with nothing to play from and waits for `segue login`.
    ///
    /// - Throws: `ConfigurationError`.
    package func loadForServing() throws(ConfigurationError) -> LoadedConfiguration {
        do throws(ConfigurationError) { return try load(findingLogin: true) } catch {
            guard error.code == .notFound else { throw error }
            return try withoutFile()
        }
    }

    /// Reads the configuration's file alone; nil where there is none in the usual places.
    ///
    /// - Throws: `ConfigurationError`.
    package func file() throws(ConfigurationError) -> Configuration? {
        do throws(ConfigurationError) {
            return try Configuration.load(path: path, environment: environment, extensions: extensions)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    /// The configuration of an empty file.
    ///
    /// - Throws: `ConfigurationError` for a wrong value of the environment.
    package func defaults() throws(ConfigurationError) -> Configuration {
        try Configuration.defaults(environment: environment, extensions: extensions)
    }

    private func load(findingLogin: Bool) throws(ConfigurationError) -> LoadedConfiguration {
        try Configuration.load(path: path, environment: environment, extensions: extensions) {
            Self.kept($0, findsLogin: findingLogin)
        }
    }

    private func withoutFile() throws(ConfigurationError) -> LoadedConfiguration {
        try Configuration.defaults(environment: environment, extensions: extensions) {
            Self.kept($0, findsLogin: true)
        }
    }

    private static func kept(_ configuration: Configuration, findsLogin: Bool) -> KeptSettings {
        let directory = configuration.server.stateDirectory
        let hasSource = configuration.navidrome != nil || configuration.local != nil
        return SettingsFile.read(
            in: directory, hasLogin: findsLogin && !hasSource && CredentialsFile.exists(in: directory))
    }
}
