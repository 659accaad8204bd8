/// Reads the configuration with what its state directory adds: the settings of the page and a login that is kept.
package struct ConfigurationLoader: Sendable {
    /// The configuration file; nil looks in the usual places.
    package var path: String?
    private let environment: [String: String]

    /// Names the file and the process's environment, which counts more than both files.
    package init(path: String?, environment: [String: String]) {
        (self.path, self.environment) = (path, environment)
    }

    /// Reads the configuration, or makes one from the stored credentials when there is no file at all.
    ///
    /// - Throws: `ConfigurationError`.
    package func load() throws(ConfigurationError) -> LoadedConfiguration {
        do throws(ConfigurationError) {
            return try Configuration.load(path: path, environment: environment) { Self.kept($0, findsLogin: false) }
        } catch {
            guard error.code == .notFound else { throw error }
            let signedIn = try Configuration.defaults(environment: environment) { Self.kept($0, findsLogin: true) }
            guard signedIn.configuration.navidrome != nil else { throw error }
            return signedIn
        }
    }

    /// The same for the server, which also starts with nothing to play from and waits for `segue login`.
    ///
    /// - Throws: `ConfigurationError`.
    package func loadForServing() throws(ConfigurationError) -> LoadedConfiguration {
        do throws(ConfigurationError) {
            return try Configuration.load(path: path, environment: environment) { Self.kept($0, findsLogin: true) }
        } catch {
            guard error.code == .notFound else { throw error }
            return try Configuration.defaults(environment: environment) { Self.kept($0, findsLogin: true) }
        }
    }

    private static func kept(_ configuration: Configuration, findsLogin: Bool) -> KeptSettings {
        let directory = configuration.server.stateDirectory
        let hasSource = configuration.navidrome != nil || configuration.local != nil
        return SettingsFile.read(
            in: directory, hasLogin: findsLogin && !hasSource && CredentialsFile.exists(in: directory))
    }
}
