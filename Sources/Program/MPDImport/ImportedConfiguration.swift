import Foundation
import SegueConfiguration

/// The configuration that goes with an import: the one that is there, or the one that follows from MPD's.
struct ImportedConfiguration {
    private let mpd: MPDInstallation
    private let loader: ConfigurationLoader
    private let isDryRun: Bool
    private let hash: (String) throws -> String
    private let say: (String) -> Void

    /// Prepares for the configuration file that `loader` names; without a name it is wherever Segue looks for one.
    /// Passwords are written as `hash` makes them.
    init(
        _ mpd: MPDInstallation, _ loader: ConfigurationLoader, isDryRun: Bool,
        hash: @escaping (String) throws -> String, say: @escaping (String) -> Void
    ) { (self.mpd, self.loader, self.isDryRun, self.hash, self.say) = (mpd, loader, isDryRun, hash, say) }

    /// A configuration that counts as soon as it is written.
    struct Plan {
        let configuration: Configuration
        let file: String
        /// Writes MPD's settings where nothing is set so far, else saves them next to what is set, and says so.
        let write: () throws -> Void
    }

    /// Finds out what is to be written where; writes nothing.
    func plan() throws -> Plan {
        let existing = try existing()
        let file = existing?.file ?? loader.path ?? loader.usualFile
        let text = FileManager.default.fileExists(atPath: file) ? try ConfigurationFile.text(of: file) : nil
        if let existing, let text, text.hasPrefix(Self.mark) {
            return Plan(configuration: signedIn(existing), file: file) {
                say("\(file) exists already and is unchanged.")
            }
        }
        let kept = text.map(ConfigurationFile.settings) ?? []
        let hasSettings = !kept.allSatisfy(Self.isPackaged)
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

    /// The socket that the package's service listens on as well as its port.
    private static let packagedSocket = "/run/segue/socket"

    /// True for a setting that the package's configuration comes with, which no user has chosen.
    private static func isPackaged(key: String, value: String) -> Bool {
        switch key {
        case "state_directory", "cache_directory", "socket_group": true
        case "listen": value.filter { !$0.isWhitespace } == "[\"127.0.0.1:6600\",\"\(packagedSocket)\"]"
        default: false
        }
    }

    /// The beginning of files that an import wrote.
    private static let mark = "# Made from "

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
        let isNavidrome = known.navidrome?.url != nil || CredentialsFile.exists(in: known.server.stateDirectory)
        let translated = try TranslatedSettings(
            mpd.settings, paths: mpd.paths, withoutMusicDirectory: isNavidrome,
            // MPD's addresses replace it.
            keeping: kept.filter { $0.key != "listen" },
            socket: kept.contains { $0.key == "listen" } ? Self.packagedSocket : nil, hash: hash)
        for note in translated.notes { say(note) }
        return try accepted(translated.text, file)
    }

    /// Turns settings that Segue refuses into comments, so that one of them doesn't keep the rest from coming over.
    private func accepted(_ text: String, _ file: String) throws -> (String, Configuration) {
        var lines = text.components(separatedBy: "\n")
        while true {
            let accepted = lines.joined(separator: "\n")
            do throws(ConfigurationError) {
                let configuration = try Configuration.parse(
                    accepted, file: file, environment: loader.environment, extensions: loader.extensions)
                return (accepted, configuration)
            } catch {
                guard error.file == file, let number = error.line, lines.indices.contains(number - 1),
                    !lines[number - 1].hasPrefix("#")
                else { throw error }
                say("\(error.key ?? lines[number - 1]) is skipped: \(error.message)")
                // A section is refused as a whole where something is missing in it.
                let isSection = lines[number - 1].hasPrefix("[")
                let rest = lines[number...].prefix { isSection && !$0.hasPrefix("[") }
                for index in (number - 1)..<rest.endIndex where !lines[index].isEmpty && !lines[index].hasPrefix("#") {
                    lines[index] = "# " + lines[index]
                }
            }
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

/// A configuration file that is read and replaced as a text.
enum ConfigurationFile {
    static func text(of path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path) else { throw MPDImportError("can't read \(path).") }
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

    /// Copies a file in its folder, under a free name.
    static func keepCopy(of path: String) throws -> String {
        for number in 1...100 {
            let copy = path + ".before-mpd" + (number > 1 ? ".\(number)" : "")
            guard !FileManager.default.fileExists(atPath: copy) else { continue }
            try write(try text(of: path), to: copy, like: path)
            return copy
        }
        throw MPDImportError("there are 100 copies of \(path); remove some.")
    }

    /// Writes a text for this user alone, or with the rights of the file that it replaces or of `model`. Where root
    /// makes the file, the group of the state directory, whose service is to read it, can.
    static func write(
        _ text: String, to path: String, like model: String? = nil, stateDirectory: String? = nil
    ) throws {
        // A link stays one.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        do {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        } catch { throw MPDImportError("can't write \(path): \(systemMessage(error))") }
        try PrivateFile.write(text, to: path) { new in
            var status = stat()
            if stat(model ?? path, &status) == 0 {
                // In this order: a new owner takes rights away.
                _ = chown(new, status.st_uid, status.st_gid)
                _ = chmod(new, status.st_mode & 0o777)
            } else if geteuid() == 0, let stateDirectory, stat(stateDirectory, &status) == 0, status.st_uid != 0 {
                _ = chown(new, 0, status.st_gid)
                _ = chmod(new, 0o640)
            }
        }
    }
}

/// A section of a configuration file that is being written.
struct TOMLSection {
    let head: String
    private var lines: [String] = []

    init(_ head: String) { self.head = head }

    var isEmpty: Bool { lines.isEmpty }

    var text: String { ([head] + lines).joined(separator: "\n") }

    mutating func add(_ key: String, _ value: String) { lines.append("\(key) = \(value)") }

    mutating func comment(_ text: String) { lines.append("# " + Self.commented(text)) }

    /// A text as it may stand in a comment: on one line, without control characters.
    static func commented(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                LosslessText.shown(text).unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
    }

    static func string(_ value: String) -> String { TOMLText.string(LosslessText.shown(value)) }
}
