import Foundation
import MPDImport
import MPDSessions
import SegueConfiguration
import StateFiles

/// The configuration that goes with an import: the one that is there, or the one that follows from MPD's.
struct ImportedConfiguration {
    private let mpd: MPDInstallation
    private let path: String?
    private let isDryRun: Bool
    private let environment: [String: String]

    /// Prepares for a configuration file at `path`; nil is wherever Segue looks for one.
    init(_ mpd: MPDInstallation, path: String?, isDryRun: Bool, _ environment: [String: String]) {
        (self.mpd, self.path, self.isDryRun, self.environment) = (mpd, path, isDryRun, environment)
    }

    /// A configuration that counts as soon as it is written.
    struct Plan {
        let configuration: Configuration
        let file: String
        /// Writes MPD's settings where nothing is set so far, else saves them beside what is set, and tells so.
        let write: () throws -> Void
    }

    /// Finds out what is to be written where; writes nothing.
    ///
    /// - Throws: `CommandFailure` when a file can't be read, or the one that is there is wrong.
    func plan() throws -> Plan {
        let existing = try existing()
        let file = existing?.file ?? path ?? Configuration.usualFile(environment: environment)
        let text = FileManager.default.fileExists(atPath: file) ? try ConfigurationFile.text(of: file) : nil
        if let existing, let text, text.hasPrefix(Self.mark) {
            return Plan(configuration: signedIn(existing), file: file) {
                print("\(file) is there already and stays as it is.")
            }
        }
        let kept = text.map(ConfigurationFile.settings) ?? []
        let hasSettings = !kept.allSatisfy { Packaged.has(key: $0.key, value: $0.value) }
        let (translated, configuration) = try translated(existing, file, keeping: hasSettings ? [] : kept)
        if hasSettings, let existing {
            return Plan(configuration: signedIn(existing), file: file) { try save(translated, beside: file) }
        }
        return Plan(configuration: signedIn(configuration), file: file) {
            try write(translated, to: file, isThere: text != nil, configuration)
        }
    }

    private func write(_ text: String, to file: String, isThere: Bool, _ configuration: Configuration) throws {
        if isDryRun { return print("\(file) would be:\n\n\(Self.shown(text))") }
        if isThere { print("Kept what was there as \(try ConfigurationFile.keepCopy(of: file)).") }
        try ConfigurationFile.write(text, to: file, stateDirectory: configuration.server.stateDirectory)
        print("Wrote \(file).")
    }

    /// The settings that the package's configuration comes with, which no user has chosen.
    private enum Packaged {
        /// The socket that the package's service listens on beside its port.
        static let socket = "/run/segue/socket"

        /// Whether a setting stands there like that.
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
        if let path, !FileManager.default.fileExists(atPath: path) { return nil }
        do {
            return try Configuration.load(path: path, environment: environment)
        } catch {
            if error.code == .notFound { return nil }
            throw Failures.failure(error)
        }
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
        let known = try existing ?? Failures.inOneLine { try Configuration.defaults(environment: environment) }
        let isNavidrome =
            known.navidrome?.url != nil || CredentialsFile.exists(in: known.server.stateDirectory)
        let translated = try TranslatedSettings(
            mpd.settings, paths: mpd.paths, withoutMusicDirectory: isNavidrome,
            // MPD's addresses take its place.
            keeping: kept.filter { $0.key != "listen" },
            socket: kept.contains { $0.key == "listen" } ? Packaged.socket : nil
        ) { password in
            "\(ScryptHash(try ScryptKey(password: password)))"
        }
        for note in translated.notes { print(note) }
        return try Failures.inOneLine { try accepted(translated.text, file) }
    }

    /// Turns settings that Segue refuses into comments, so that one of them doesn't keep the rest from coming over.
    private func accepted(_ text: String, _ file: String) throws -> (String, Configuration) {
        var lines = text.components(separatedBy: "\n")
        while let error = refusal(of: lines, file) {
            guard error.file == file, let number = error.line, lines.indices.contains(number - 1),
                !lines[number - 1].hasPrefix("#")
            else { throw error }
            let line = lines[number - 1]
            print("\(error.key ?? line) is left out: \(error.message)")
            lines[number - 1] = "# " + line
            // A section is refused as a whole where something is missing in it.
            guard line.hasPrefix("[") else { continue }
            for place in number..<lines.count {
                if lines[place].hasPrefix("[") { break }
                if !lines[place].isEmpty, !lines[place].hasPrefix("#") { lines[place] = "# " + lines[place] }
            }
        }
        let accepted = lines.joined(separator: "\n")
        return (accepted, try Configuration.parse(accepted, file: file, environment: environment))
    }

    private func refusal(of lines: [String], _ file: String) -> ConfigurationError? {
        do {
            _ = try Configuration.parse(lines.joined(separator: "\n"), file: file, environment: environment)
            return nil
        } catch {
            return error
        }
    }

    private func save(_ translated: String, beside file: String) throws {
        print("\(file) has settings already and stays as it is. To have MPD's as well, add what you want of this:")
        print("\n\(Self.shown(translated))\n")
        guard !isDryRun else { return }
        try ConfigurationFile.write(translated, to: file + ".mpd", like: file)
        print("Saved it as \(file).mpd.")
    }

    /// The text without passwords, for a terminal.
    private static func shown(_ text: String) -> String {
        text.replacing(#/(?m)^((?:# )?(?:[a-z]+_)?password) = .*$/#) { "\($0.1) = \"…\"" }
    }
}

/// A configuration file that is read and replaced as a text.
private enum ConfigurationFile {
    static func text(of path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path) else { throw CommandFailure("can't read \(path).") }
        return String(decoding: data, as: UTF8.self)
    }

    /// The keys that a file sets, with their values as they stand there.
    static func settings(in text: String) -> [(key: String, value: String)] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix("[") && line.hasSuffix("]") { return nil }
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
        }
    }

    /// Copies a file beside itself under a name that is free.
    static func keepCopy(of path: String) throws -> String {
        for number in 1...100 {
            let copy = path + ".before-mpd" + (number > 1 ? ".\(number)" : "")
            guard !FileManager.default.fileExists(atPath: copy) else { continue }
            try write(try text(of: path), to: copy, like: path)
            return copy
        }
        throw CommandFailure("there are 100 copies of \(path); remove some.")
    }

    /// Writes a text for this user alone, or with the rights of the file that it replaces or of another one.
    ///
    /// - Parameters:
    ///   - model: the file whose owner and rights it gets; nil is itself.
    ///   - stateDirectory: a new file of root's can be read by the group of this folder, whose service is to read it.
    static func write(
        _ text: String, to path: String, like model: String? = nil, stateDirectory: String? = nil
    ) throws {
        // A link stays one.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let new = path + ".new"
        do {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("can't write \(path): \(systemMessage(error))")
        }
        unlink(new)
        let isMade = FileManager.default.createFile(
            atPath: new, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        guard isMade else { throw CommandFailure("can't write \(path).") }
        var status = stat()
        if stat(model ?? path, &status) == 0 {
            // In this order: a new owner takes rights away.
            _ = chown(new, status.st_uid, status.st_gid)
            _ = chmod(new, status.st_mode & 0o777)
        } else if geteuid() == 0, let stateDirectory, stat(stateDirectory, &status) == 0, status.st_uid != 0 {
            _ = chown(new, 0, status.st_gid)
            _ = chmod(new, 0o640)
        }
        guard rename(new, path) == 0 else {
            throw CommandFailure("can't write \(path): \(String(cString: strerror(errno)))")
        }
    }
}
