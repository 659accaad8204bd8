import MusicModel

/// Where files go when the configuration doesn't say, after the XDG base directory specification.
struct DefaultDirectories {
    /// The user's folder; nil for a service user who has none.
    let home: String?
    /// The folder for `server.state_directory`.
    let state: String
    /// The folder for `server.cache_directory`.
    let cache: String
    /// The places where a configuration file is searched for, in order.
    let configurationFiles: [String]
    /// The folder for sockets of the user's programs; nil outside of a user's session.
    let runtime: String?
    /// Where the service manager put secrets for this process (`LoadCredential=`); nil where it has none.
    let credentials: String?

    /// Derives the folders from the environment.
    ///
    /// systemd's `STATE_DIRECTORY` and `CACHE_DIRECTORY` come first, as they are what the service may write to.
    init(environment: [String: String]) {
        let home = Self.home(environment)
        self.home = home
        state =
            Self.systemd("STATE_DIRECTORY", environment)
            ?? Self.folder("XDG_STATE_HOME", environment, inHome: ".local/state", home)
            ?? "/var/lib/segue"
        cache =
            Self.systemd("CACHE_DIRECTORY", environment)
            ?? Self.folder("XDG_CACHE_HOME", environment, inHome: ".cache", home)
            ?? "/var/cache/segue"
        var files: [String] = []
        for folder in [Self.absolute("XDG_CONFIG_HOME", environment), home.map { $0 + "/.config" }] {
            if let folder, !files.contains(folder + "/segue/segue.toml") { files.append(folder + "/segue/segue.toml") }
        }
        configurationFiles = files + ["/etc/segue/segue.toml", "/etc/segue.toml"]
        runtime = Self.absolute("XDG_RUNTIME_DIR", environment)
        credentials = Self.absolute("CREDENTIALS_DIRECTORY", environment)
    }

    /// Service users have no folder, or one that is there to say so.
    private static func home(_ environment: [String: String]) -> String? {
        guard let home = absolute("HOME", environment), home != "/nonexistent" else { return nil }
        return home
    }

    /// The value of a variable without slashes at its end; the specification says to ignore relative paths.
    private static func absolute(_ name: String, _ environment: [String: String]) -> String? {
        guard let named = environment[name], named.isAbsolutePath else { return nil }
        let path = String(named.withoutLastSlashes)
        return path == "/" ? nil : path
    }

    /// systemd lists several folders with colons; the first one is the one for the program.
    private static func systemd(_ name: String, _ environment: [String: String]) -> String? {
        absolute(name, environment)?.split(separator: ":").first.map(String.init)
    }

    private static func folder(
        _ name: String, _ environment: [String: String], inHome: String, _ home: String?
    ) -> String? {
        (absolute(name, environment) ?? home.map { $0 + "/" + inHome }).map { $0 + "/segue" }
    }
}
