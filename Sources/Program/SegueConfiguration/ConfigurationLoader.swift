import Foundation
import MusicModel

/// Reads the configuration with what its state directory adds: the settings of the page and a login that is kept.
package struct ConfigurationLoader: Sendable {
    /// The configuration file; nil looks in the usual places, where a file in /etc that this user may not read is the
    /// system service's, and is passed over.
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
    package func load() throws(ConfigurationError) -> LoadedConfiguration {
        if let found = try search() { return try read(found, findsLogin: false) }
        let signedIn = try read(Self.nothing, findsLogin: true)
        guard signedIn.configuration.navidrome != nil else { throw notFound }
        return signedIn
    }

    /// The same for the server, which also starts with nothing to play from and waits for `segue login`.
    package func loadForServing() throws(ConfigurationError) -> LoadedConfiguration {
        try read(try search() ?? Self.nothing, findsLogin: true)
    }

    /// Reads the configuration's file alone; nil where there is none in the usual places.
    package func file() throws(ConfigurationError) -> Configuration? {
        guard let (text, file) = try search() else { return nil }
        return try Configuration.parse(text, file: file, environment: environment, extensions: extensions)
    }

    /// The configuration of an empty file, with the environment's values.
    package func defaults() throws(ConfigurationError) -> Configuration {
        try Configuration.parse("", file: nil, environment: environment, extensions: extensions)
    }

    /// The file in which a user's own configuration is searched for first.
    package var usualFile: String { DefaultDirectories(environment: environment).configurationFiles[0] }

    private typealias Found = (text: String, file: String?)
    private static let nothing: Found = ("", nil)

    private func read(_ found: Found, findsLogin: Bool) throws(ConfigurationError) -> LoadedConfiguration {
        try LoadedConfiguration(found.text, file: found.file, environment: environment, extensions: extensions) {
            let hasSource = $0.navidrome != nil || $0.local != nil
            let directory = $0.server.stateDirectory
            return KeptSettings(
                in: directory, hasLogin: findsLogin && !hasSource && CredentialsFile.exists(in: directory))
        }
    }

    private var existingFiles: [String] {
        DefaultDirectories(environment: environment).configurationFiles
            .filter { FileManager.default.fileExists(atPath: $0) }
    }

    private static func isForeign(_ file: String) -> Bool { file.hasPrefix("/etc/") && access(file, R_OK) != 0 }

    /// The file's text; nil without one, unless the environment names a source, which is enough.
    private func search() throws(ConfigurationError) -> Found? {
        guard let found = path ?? existingFiles.first(where: { !Self.isForeign($0) }) else {
            let sources = ["SEGUE_NAVIDROME_URL", "SEGUE_LOCAL_MUSIC_DIRECTORY"]
            return sources.contains { environment[$0] != nil } ? Self.nothing : nil
        }
        return (try text(of: found), found)
    }

    private var notFound: ConfigurationError {
        let places = DefaultDirectories(environment: environment).configurationFiles.joined(separator: ", ")
        let service =
            existingFiles.first(where: Self.isForeign)
            .map { " \($0) is the system service's, and this user can't read it: use sudo." } ?? ""
        return ConfigurationError(
            message: "no configuration file: tried \(places).\(service) Copy conf/segue.toml to one of them, name a "
                + "file with --config, or try `segue demo`, which needs none.")
    }

    private func text(of path: String) throws(ConfigurationError) -> String {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw ConfigurationError(file: path, message: "is a folder; name the file in it")
        }
        // Foundation's reading functions don't tell why they fail.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ConfigurationError(file: path, message: Self.reason(errno)) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let data: Data
        do { data = try handle.readToEnd() ?? Data() } catch {
            throw ConfigurationError(file: path, message: "can't be read", cause: error)
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ConfigurationError(file: path, message: "the file is not UTF-8 text")
        }
        return text
    }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case ENOENT, ENOTDIR: "there is no such file; name an existing one with --config"
        case EACCES: "can't be read: permission denied; make it readable for the user that Segue runs as"
        default: "can't be read: \(String(cString: strerror(code)))"
        }
    }
}

/// The facts of a state directory that make a configuration complete.
struct KeptSettings {
    var file: String
    /// Its text; nil when there is no such file or it can't be read.
    var text: String?
    /// Why it can't be read; nil when it can, or when there is none.
    var trouble: String?
    /// True if there is a stored login for which the configuration has no `[navidrome]`.
    var hasLogin = false
}

extension KeptSettings {
    private static let limit = 64 << 10

    /// Reads the file. One that can't be read is a trouble to be told, and never an error.
    init(in stateDirectory: String, hasLogin: Bool = false) {
        self.init(file: stateDirectory + "/settings.toml", hasLogin: hasLogin)
        do {
            text = String(validating: try RegularFile.read(file, upTo: Self.limit), as: UTF8.self)
            if text == nil { trouble = "it is not UTF-8 text" }
        } catch RegularFile.Problem.missing {
        } catch { trouble = "it can't be read: \(error)" }
    }
}

extension Configuration {
    /// Checks a configuration's text, with the environment's values over it.
    /// - Throws: `ConfigurationError` for the first thing that is wrong, by line.
    package static func parse(
        _ text: String, file: String?, environment: [String: String], extensions: [any ExtensionSection.Type] = []
    ) throws(ConfigurationError) -> Configuration {
        let written = try Node(toml: text, file: file ?? "")
        return try read(written, file: file, environment, DeclaredKeys(extensions), page: nil).configuration
    }

    /// Reads nodes, with the page's values over them and the environment's over both; also returns the keys that the
    /// page may set, with their values, in the order in which they are shown.
    static func read(
        _ written: Node, file: String?, _ environment: [String: String], _ declared: DeclaredKeys, page: PageOverrides?
    ) throws(ConfigurationError) -> (configuration: Configuration, settings: [Setting]) {
        let problems = ProblemList(file: file ?? "")
        var root = EnvironmentOverrides(environment, declared, problems: problems).applied(to: written)
        if let page { root = page.applied(to: root) }
        let reader = ConfigurationReader(
            directories: DefaultDirectories(environment: environment), problems: problems,
            extensions: declared.extensions)
        var configuration = reader.read(root)
        try problems.throwFirst()
        configuration.file = file
        return (configuration, problems.writable)
    }

    /// The configuration of `segue demo`: the demo album, which lies below the cache directory, and nothing else. The
    /// environment can move everything but the music; a Navidrome that it names is left out.
    package static func demo(
        environment: [String: String], extensions: [any ExtensionSection.Type] = []
    ) throws(ConfigurationError) -> Configuration {
        let overrides = environment.filter { name, _ in
            !name.hasPrefix("SEGUE_NAVIDROME_") && !name.hasPrefix("SEGUE_LOCAL_")
        }
        var configuration = try parse("", file: nil, environment: overrides, extensions: extensions)
        let folder = configuration.server.cacheDirectory + "/demo"
        if overrides["SEGUE_SERVER_STATE_DIRECTORY"] == nil { configuration.server.stateDirectory = folder + "/state" }
        configuration.local = Local(musicDirectory: folder + "/music")
        configuration.isDemo = true
        return configuration
    }
}

/// Where files go when the configuration doesn't say, after the XDG base directory specification.
struct DefaultDirectories {
    /// The user's folder; nil for a service user who has none.
    let home: String?
    let state: String
    let cache: String
    let configurationFiles: [String]
    /// The folder for sockets of the user's programs; nil outside of a user's session.
    let runtime: String?
    /// Where the service manager put secrets for this process (`LoadCredential=`); nil where it has none.
    let credentials: String?

    init(environment: [String: String]) {
        /// The value of a variable without slashes at its end; the specification says to ignore relative paths.
        func absolute(_ name: String) -> String? {
            guard let named = environment[name], named.isAbsolutePath else { return nil }
            let path = String(named.withoutLastSlashes)
            return path == "/" ? nil : path
        }
        // Service users have no folder, or one that is there to say so.
        let home = absolute("HOME").flatMap { $0 == "/nonexistent" ? nil : $0 }
        /// systemd's folder for the service comes first, as it is what the service may write to; of several the first.
        func folder(_ systemd: String, _ xdg: String, inHome: String, otherwise: String) -> String {
            if let first = absolute(systemd)?.split(separator: ":").first { return String(first) }
            return (absolute(xdg) ?? home.map { "\($0)/\(inHome)" }).map { $0 + "/segue" } ?? otherwise
        }
        self.home = home
        state = folder("STATE_DIRECTORY", "XDG_STATE_HOME", inHome: ".local/state", otherwise: "/var/lib/segue")
        cache = folder("CACHE_DIRECTORY", "XDG_CACHE_HOME", inHome: ".cache", otherwise: "/var/cache/segue")
        var files: [String] = []
        for case let folder? in [absolute("XDG_CONFIG_HOME"), home.map { $0 + "/.config" }] {
            if !files.contains(folder + "/segue/segue.toml") { files.append(folder + "/segue/segue.toml") }
        }
        configurationFiles = files + ["/etc/segue/segue.toml", "/etc/segue.toml"]
        runtime = absolute("XDG_RUNTIME_DIR")
        credentials = absolute("CREDENTIALS_DIRECTORY")
    }
}
