import Foundation

extension Configuration {
    /// Reads and checks a configuration file, with the environment's values over the file's.
    ///
    /// - Parameters:
    ///   - path: the file; nil looks in `$XDG_CONFIG_HOME/segue/segue.toml`, `~/.config/segue/segue.toml`,
    ///     `/etc/segue/segue.toml` and `/etc/segue.toml`. When none of them exists, the environment alone is enough if
    ///     it names a source. A file in /etc that this user may not read is the system service's, and is passed over.
    ///   - environment: the process's environment.
    ///   - extensions: the sections that extensions declare.
    /// - Throws: `ConfigurationError` for the first thing that is wrong, by line.
    package static func load(
        path: String?, environment: [String: String], extensions: [any ExtensionSection.Type] = []
    ) throws(ConfigurationError) -> Configuration {
        guard let (text, file) = try search(path, environment) else {
            return try defaults(environment: environment, extensions: extensions)
        }
        return try parse(text, file: file, environment: environment, extensions: extensions)
    }

    /// Reads and checks a configuration file, with what the state directory keeps over it.
    ///
    /// - Parameters:
    ///   - path: the file; nil looks in the usual places.
    ///   - environment: the process's environment, which counts most.
    ///   - kept: reads the state directory of a configuration.
    /// - Throws: `ConfigurationError` for the first thing that is wrong with the file or the environment, by line.
    static func load(
        path: String?, environment: [String: String], extensions: [any ExtensionSection.Type],
        kept: (Configuration) -> KeptSettings
    ) throws(ConfigurationError) -> LoadedConfiguration {
        let found = try search(path, environment)
        return try LoadedConfiguration(
            found?.text ?? "", file: found?.file, environment: environment, extensions: extensions, kept: kept)
    }

    /// The configuration of an empty file, with what the state directory keeps over it.
    static func defaults(
        environment: [String: String], extensions: [any ExtensionSection.Type], kept: (Configuration) -> KeptSettings
    ) throws(ConfigurationError) -> LoadedConfiguration {
        try LoadedConfiguration("", file: nil, environment: environment, extensions: extensions, kept: kept)
    }

    /// The file's text and path; nil when there is none and the environment is enough.
    private static func search(
        _ path: String?, _ environment: [String: String]
    ) throws(ConfigurationError) -> (text: String, file: String)? {
        let places = DefaultDirectories(environment: environment).configurationFiles
        let existing = places.filter { FileManager.default.fileExists(atPath: $0) }
        let foreign = existing.filter { $0.hasPrefix("/etc/") && access($0, R_OK) != 0 }
        guard let found = path ?? existing.first(where: { !foreign.contains($0) }) else {
            if environment["SEGUE_NAVIDROME_URL"] != nil || environment["SEGUE_LOCAL_MUSIC_DIRECTORY"] != nil {
                return nil
            }
            throw ConfigurationError(code: .notFound, message: notFound(tried: places, foreign: foreign))
        }
        return (try text(of: found), found)
    }

    /// The file in which a user's own configuration is searched for first.
    package static func usualFile(environment: [String: String]) -> String {
        DefaultDirectories(environment: environment).configurationFiles[0]
    }

    /// The configuration of an empty file: the defaults, with the environment's values over them.
    package static func defaults(
        environment: [String: String], extensions: [any ExtensionSection.Type] = []
    ) throws(ConfigurationError) -> Configuration {
        var configuration = try parse("", file: "", environment: environment, extensions: extensions)
        configuration.file = nil
        return configuration
    }

    /// Checks a configuration's text, with the environment's values over it.
    ///
    /// - Parameters:
    ///   - text: TOML.
    ///   - file: the name for error messages.
    ///   - environment: the process's environment.
    ///   - extensions: the sections that extensions declare.
    /// - Throws: `ConfigurationError` for the first thing that is wrong, by line.
    package static func parse(
        _ text: String, file: String, environment: [String: String], extensions: [any ExtensionSection.Type] = []
    ) throws(ConfigurationError) -> Configuration {
        let written = try Node(toml: text, file: file)
        return try ReadConfiguration(written, file: file, environment, DeclaredKeys(extensions), page: nil)
            .configuration
    }

    /// The configuration of `segue demo`: the demo album, which lies below the cache directory, and nothing else.
    ///
    /// The environment can move everything but the music; a Navidrome that it names is left out.
    /// - Parameters:
    ///   - cacheDirectory: an absolute path to use in place of the default one.
    ///   - environment: the process's environment.
    /// - Throws: `ConfigurationError` when the environment holds a wrong value.
    package static func demo(
        cacheDirectory: String? = nil, environment: [String: String], extensions: [any ExtensionSection.Type] = []
    ) throws(ConfigurationError) -> Configuration {
        let overrides = environment.filter { name, _ in
            !name.hasPrefix("SEGUE_NAVIDROME_") && !name.hasPrefix("SEGUE_LOCAL_")
        }
        var configuration = try defaults(environment: overrides, extensions: extensions)
        if let cacheDirectory { configuration.server.cacheDirectory = cacheDirectory }
        let folder = configuration.server.cacheDirectory + "/demo"
        if overrides["SEGUE_SERVER_STATE_DIRECTORY"] == nil { configuration.server.stateDirectory = folder + "/state" }
        configuration.local = Local(musicDirectory: folder + "/music", mount: "")
        configuration.isDemo = true
        return configuration
    }

    private static func notFound(tried places: [String], foreign: [String]) -> String {
        let service =
            foreign.first.map { " \($0) is the system service's, and this user can't read it: use sudo." } ?? ""
        return "no configuration file: tried \(places.joined(separator: ", ")).\(service) Copy conf/segue.toml to one "
            + "of them, name a file with --config, or try `segue demo`, which needs none."
    }

    private static func text(of path: String) throws(ConfigurationError) -> String {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw unreadable(path, "is a folder; name the file in it")
        }
        // Foundation's reading functions don't tell why they fail.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, reason(errno)) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let data: Data
        do { data = try handle.readToEnd() ?? Data() } catch { throw unreadable(path, "can't be read", cause: error) }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ConfigurationError(code: .syntax, file: path, message: "the file is not UTF-8 text")
        }
        return text
    }

    private static func unreadable(
        _ path: String, _ message: String, cause: (any Error)? = nil
    ) -> ConfigurationError {
        ConfigurationError(code: .unreadable, file: path, message: message, cause: cause)
    }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case ENOENT, ENOTDIR: "there is no such file; name an existing one with --config"
        case EACCES: "can't be read: permission denied; make it readable for the user that Segue runs as"
        default: "can't be read: \(String(cString: strerror(code)))"
        }
    }
}
