import Foundation
package import SegueConfiguration

/// The configuration that goes with an import: the one that is there, or the one that follows from MPD's.
package struct ImportedConfiguration {
    private let mpd: MPDInstallation
    private let loader: ConfigurationLoader
    private let isDryRun: Bool
    private let hash: (String) throws -> String
    private let say: (String) -> Void

    /// Prepares for the configuration file that `loader` names; without a name it is wherever Segue looks for one.
    ///
    /// - Parameters:
    ///   - hash: the form in which a password of MPD's is written.
    ///   - say: tells the user a line.
    package init(
        _ mpd: MPDInstallation, _ loader: ConfigurationLoader, isDryRun: Bool,
        hash: @escaping (String) throws -> String, say: @escaping (String) -> Void
    ) {
        (self.mpd, self.loader, self.isDryRun) = (mpd, loader, isDryRun)
        (self.hash, self.say) = (hash, say)
    }

    /// A configuration that counts as soon as it is written.
    package struct Plan {
        /// The configuration, before and after it is written.
        package let configuration: Configuration
        /// The path at which it is or will be.
        package let file: String
        /// Writes MPD's settings where nothing is set so far, else saves them next to what is set, and says so.
        package let write: () throws -> Void
    }

    /// Finds out what is to be written where; writes nothing.
    ///
    /// - Throws: `MPDImportError` when a file can't be read, `ConfigurationError` when the one that is there is wrong.
    package func plan() throws -> Plan {
        let existing = try existing()
        let file = existing?.file ?? loader.path ?? Configuration.usualFile(environment: loader.environment)
        let text = FileManager.default.fileExists(atPath: file) ? try ConfigurationFile.text(of: file) : nil
        if let existing, let text, text.hasPrefix(Self.mark) {
            return Plan(configuration: signedIn(existing), file: file) {
                say("\(file) exists already and is unchanged.")
            }
        }
        let kept = text.map(ConfigurationFile.settings) ?? []
        let hasSettings = !kept.allSatisfy { Packaged.has(key: $0.key, value: $0.value) }
        let (translated, configuration) = try translated(existing, file, keeping: hasSettings ? [] : kept)
        if hasSettings, let existing {
            return Plan(configuration: signedIn(existing), file: file) { try save(translated, nextTo: file) }
        }
        return Plan(configuration: signedIn(configuration), file: file) {
            try write(translated, to: file, isThere: text != nil, configuration)
        }
    }

    private func write(_ text: String, to file: String, isThere: Bool, _ configuration: Configuration) throws {
        if isDryRun { return say("\(file) would be:\n\n\(Self.shown(text))") }
        if isThere { say("Saved the old file as \(try ConfigurationFile.keepCopy(of: file)).") }
        try ConfigurationFile.write(text, to: file, stateDirectory: configuration.server.stateDirectory)
        say("Wrote \(file).")
    }

    /// The settings that the package's configuration comes with, which no user has chosen.
    private enum Packaged {
        /// The socket that the package's service listens on as well as its port.
        static let socket = "/run/segue/socket"

        /// True if a setting has this value there.
        static func has(key: String, value: String) -> Bool {
            switch key {
            case "state_directory", "cache_directory", "socket_group": true
            case "listen": value.filter { !$0.isWhitespace } == "[\"127.0.0.1:6600\",\"\(socket)\"]"
            default: false
            }
        }
    }

    /// The beginning of files that an import wrote.
    private static let mark = "# Made from "

    /// The configuration that Segue has by now; nil without any.
    private func existing() throws -> Configuration? {
        if let path = loader.path, !FileManager.default.fileExists(atPath: path) { return nil }
        return try loader.file()
    }

    /// The same with the server of `segue login`, where nothing else names a source.
    private func signedIn(_ configuration: Configuration) -> Configuration {
        var configuration = configuration
        let hasSource = configuration.navidrome != nil || configuration.local != nil
        if !hasSource, CredentialsFile.exists(in: configuration.server.stateDirectory) {
            configuration.navidrome = Configuration.Navidrome()
        }
        return configuration
    }

    private func translated(
        _ existing: Configuration?, _ file: String, keeping kept: [(key: String, value: String)]
    ) throws -> (text: String, configuration: Configuration) {
        let known = try existing ?? loader.defaults()
        let isNavidrome =
            known.navidrome?.url != nil || CredentialsFile.exists(in: known.server.stateDirectory)
        let translated = try TranslatedSettings(
            mpd.settings, paths: mpd.paths, withoutMusicDirectory: isNavidrome,
            // MPD's addresses replace it.
            keeping: kept.filter { $0.key != "listen" },
            socket: kept.contains { $0.key == "listen" } ? Packaged.socket : nil, hash: hash)
        for note in translated.notes { say(note) }
        return try accepted(translated.text, file)
    }

    /// Turns settings that Segue refuses into comments, so that one of them doesn't keep the rest from coming over.
    private func accepted(_ text: String, _ file: String) throws -> (String, Configuration) {
        var lines = text.components(separatedBy: "\n")
        while let error = refusal(of: lines, file) {
            guard error.file == file, let number = error.line, lines.indices.contains(number - 1),
                !lines[number - 1].hasPrefix("#")
            else { throw error }
            let line = lines[number - 1]
            say("\(error.key ?? line) is skipped: \(error.message)")
            lines[number - 1] = "# " + line
            // A section is refused as a whole where something is missing in it.
            guard line.hasPrefix("[") else { continue }
            for index in number..<lines.count {
                if lines[index].hasPrefix("[") { break }
                if !lines[index].isEmpty, !lines[index].hasPrefix("#") { lines[index] = "# " + lines[index] }
            }
        }
        let accepted = lines.joined(separator: "\n")
        return (accepted, try parse(accepted, file))
    }

    private func parse(_ text: String, _ file: String) throws(ConfigurationError) -> Configuration {
        try .parse(text, file: file, environment: loader.environment, extensions: loader.extensions)
    }

    private func refusal(of lines: [String], _ file: String) -> ConfigurationError? {
        do {
            _ = try parse(lines.joined(separator: "\n"), file)
            return nil
        } catch {
            return error
        }
    }

    private func save(_ translated: String, nextTo file: String) throws {
        say("\(file) has settings already and is unchanged. To use MPD's as well, add what you want from this:")
        say("\n\(Self.shown(translated))\n")
        guard !isDryRun else { return }
        try ConfigurationFile.write(translated, to: file + ".mpd", like: file)
        say("Saved it as \(file).mpd.")
    }

    /// The text without passwords, for a terminal.
    private static func shown(_ text: String) -> String {
        text.replacing(#/(?m)^((?:# )?(?:[a-z]+_)?password) = .*$/#) { "\($0.1) = \"…\"" }
    }
}
