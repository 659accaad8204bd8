import Foundation
import MusicModel

/// Everything that an MPD keeps, as far as it could be read.
struct MPDInstallation: Sendable {
    var settings: MPDSettings
    var state = MPDState()
    /// The meaning of `~` and variables in its settings.
    private(set) var paths: MPDPaths
    /// Files that could not be read, each as a sentence.
    var problems: [String] = []
    var playlists: [MPDPlaylist] = []
    var stickers: [MPDSticker] = []
    var catalog = MPDCatalog()

    /// The files in which MPD searches for its settings, in its order.
    /// - Source: MPD v0.24.13 src/CommandLine.cxx.
    static func settingsFiles(environment: [String: String]) -> [String] {
        let home = environment["HOME"] ?? NSHomeDirectory()
        let configured = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.config"
        return [configured + "/mpd/mpd.conf", home + "/.mpdconf", home + "/.mpd/mpd.conf", "/etc/mpd.conf"]
    }

    /// Reads an `mpd.conf` and all that it names; what else can't be read is in `problems`.
    init(settingsFile: String, environment: [String: String] = [:]) throws(MPDImportError) {
        settings = try MPDSettingsReader.read(settingsFile)
        paths = MPDPaths(user: settings["user"], settingsFile: settingsFile, environment: environment)
        let folder = (settingsFile as NSString).deletingLastPathComponent
        if let path = path("state_file", folder) {
            state = read { () throws(MPDImportError) in try MPDStateReader.read(path) } ?? state
        }
        problems += state.problems
        let charset = charset
        if let path = path("playlist_directory", folder),
            let found = read({ () throws(MPDImportError) in try MPDPlaylist.all(in: path, charset: charset) })
        {
            playlists = found.playlists
            problems += found.problems
        }
        if let path = path("sticker_file", folder) {
            stickers = read { () throws(MPDImportError) in try MPDSticker.all(in: path) } ?? []
        }
        let simple = settings.blocks.first { $0.name == "database" && $0["plugin"] == "simple" }
        if let path = path("db_file", folder) ?? simple?["path"].map({ paths.absolute($0, in: folder) }) {
            catalog = read { () throws(MPDImportError) in try MPDCatalog(path: path) } ?? catalog
            problems += [catalog.problem].compactMap(\.self)
        }
    }

    /// The charset of names of files, where it is none that is UTF-8 anyway.
    private var charset: String? {
        settings["filesystem_charset"].flatMap { TextDecoding.knows(charset: $0) ? $0 : nil }
    }

    private mutating func read<Value>(_ body: () throws(MPDImportError) -> Value) -> Value? {
        do {
            return try body()
        } catch {
            problems.append(error.message)
            return nil
        }
    }

    private func path(_ setting: String, _ folder: String) -> String? {
        settings[setting].map { paths.absolute($0, in: folder) }
    }
}

/// The reason why something of MPD's could not be read, in words for the user.
struct MPDImportError: ChainedError {
    var message: String
    let origin: ErrorOrigin

    init(_ message: String, cause: (any Error)? = nil, file: StaticString = #fileID, line: UInt = #line) {
        self.message = message
        origin = ErrorOrigin(cause, file: file, line: line)
    }

    var description: String { message }
}

/// Reads files of MPD's, which may be damaged, huge, or no files at all.
enum BoundedFile {
    /// The descriptor is the caller's to close.
    static func open(_ path: String) throws(MPDImportError) -> Int32 {
        try tell(path) { path throws(RegularFile.Problem) in try RegularFile.open(path).descriptor }
    }

    /// A text file; lines that are no UTF-8 are read in `charset`, or keep their bytes.
    static func text(at path: String, atMost limit: Int, charset: String? = nil) throws(MPDImportError) -> String {
        let bytes = try tell(path) { path throws(RegularFile.Problem) in try RegularFile.read(path, upTo: limit) }
        return LosslessText.text(bytes, charset: charset)
    }

    private static func tell<Value>(
        _ path: String, _ read: (DiskPath) throws(RegularFile.Problem) -> Value
    ) throws(MPDImportError) -> Value {
        do throws(RegularFile.Problem) { return try read(DiskPath(LosslessText.bytes(path))) } catch {
            let message = error == .missing ? "\(path) is missing, or not a file" : "can't read \(path): \(error)"
            throw MPDImportError(message, cause: error)
        }
    }
}

/// Paths as they stand in an `mpd.conf`.
/// - Source: MPD v0.24.13 src/config/Path.cxx and src/fs/glue/StandardDirectory.cxx.
struct MPDPaths: Sendable {
    /// The folder for `~` and `$HOME`: that of the user as which MPD runs.
    let home: String
    /// True if `~` means the same to Segue, whose configuration may then keep it.
    private let keepsTilde: Bool
    private let environment: [String: String]

    /// Paths of this user's, or of that of the setting `user`. Root's MPD is mostly that of the user whom the settings'
    /// file belongs to; root writes configurations for others.
    init(
        user: String? = nil, settingsFile: String? = nil, environment: [String: String] = [:],
        isRoot: Bool = geteuid() == 0
    ) {
        let own = environment["HOME"].flatMap { $0.isAbsolutePath ? $0 : nil } ?? NSHomeDirectory()
        var other = user.flatMap { Self.home(of: $0) }
        var status = stat()
        if other == nil, isRoot, let settingsFile, stat(LosslessText.cString(settingsFile), &status) == 0,
            status.st_uid != 0
        {
            other = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_dir) }
        }
        home = other ?? own
        keepsTilde = home == own && !isRoot
        // These variables are not those of another user.
        self.environment = home == own ? environment : [:]
    }

    /// The absolute form of a path: `~`, `~user` and variables expanded, anything else relative to `folder`.
    func absolute(_ path: String, in folder: String) -> String {
        if let expanded = expanded(path) { return expanded }
        return path.isAbsolutePath || folder.isEmpty ? path : (folder as NSString).appendingPathComponent(path)
    }

    /// A path for Segue's configuration, which knows no variables and no other users' folders.
    func written(_ path: String) -> String {
        if keepsTilde, path == "~" || path.hasPrefix("~/") { return path }
        return expanded(path) ?? path
    }

    /// nil for a path without a user or variable at its beginning, or with one that isn't known.
    private func expanded(_ path: String) -> String? {
        guard let first = path.unicodeScalars.first, first == "~" || first == "$" else { return nil }
        let parts = path.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false
        ).map { Substring($0) }
        let name = parts.first.map(String.init) ?? ""
        let base = first == "$" ? variable(name) : name.isEmpty ? home : Self.home(of: name)
        guard let base else { return nil }
        return parts.count > 1 && !parts[1].isEmpty ? base + "/" + parts[1] : base
    }

    private func variable(_ name: String) -> String? {
        switch name {
        case "HOME": home
        case "XDG_CONFIG_HOME": folder(name) ?? home + "/.config"
        case "XDG_CACHE_HOME": folder(name) ?? home + "/.cache"
        case "XDG_RUNTIME_DIR": folder(name)
        case "XDG_MUSIC_DIR": musicFolder
        default: nil
        }
    }

    private func folder(_ name: String) -> String? { environment[name].flatMap { $0.isAbsolutePath ? $0 : nil } }

    private var musicFolder: String? {
        let file = (variable("XDG_CONFIG_HOME") ?? home) + "/user-dirs.dirs"
        guard let text = try? BoundedFile.text(at: file, atMost: 1 << 20) else { return nil }
        var lines = MPDLines(text)
        while let line = lines.next() {
            let line = line.drop { $0.isWhitespace }
            guard line.hasPrefix("XDG_MUSIC_DIR=") else { continue }
            let value = line.dropFirst(14).trimmingCharacters(in: ["\"", " "])
            return value.hasPrefix("$HOME") ? home + value.dropFirst(5) : value.isAbsolutePath ? value : nil
        }
        return nil
    }

    private static func home(of user: String) -> String? { getpwnam(user).map { String(cString: $0.pointee.pw_dir) } }
}

/// Texts of MPD's files without losing a byte. MPD passes names of files on as they are, also those that are no UTF-8.
/// A byte that can't be read stands in a text as a scalar of its own, from U+10FF80 to U+10FFFF, so that the file can
/// still be opened, and be written down as it was when no song is found for it.
enum LosslessText {
    private static let base: UInt32 = 0x10_FF00
    private static let places: ClosedRange<UInt32> = 0x10_FF80...0x10_FFFF

    /// Reads bytes as UTF-8; lines that are none are read in `charset`, or keep their bytes.
    static func text(_ bytes: some Collection<UInt8>, charset: String? = nil) -> String {
        if let text = plain(bytes) { return text }
        var lines: [String] = []
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if let text = plain(line) {
                lines.append(text)
            } else if let charset {
                lines.append(TextDecoding.text(Array(line), charset: charset))
            } else {
                lines.append(kept(line))
            }
        }
        return lines.joined(separator: "\n")
    }

    static func bytes(_ text: some StringProtocol) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if places.contains(scalar.value) {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return bytes
    }

    static func cString(_ path: String) -> [CChar] { bytes(path).map { CChar(bitPattern: $0) } + [0] }

    /// A text for people and for files that must be UTF-8: bytes that can't be read become replacement characters.
    static func shown(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { places.contains($0.value) }) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { places.contains($0.value) ? "\u{FFFD}" : $0 }))
    }

    /// Valid UTF-8 that has none of the scalars that stand for bytes.
    private static func plain(_ bytes: some Collection<UInt8>) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains(where: { places.contains($0.value) })
        else { return nil }
        return text
    }

    private static func kept(_ bytes: some Collection<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        var rest = Array(bytes)[...]
        while let first = rest.first {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            if let text = plain(rest.prefix(length)), text.unicodeScalars.count == 1 {
                scalars.append(contentsOf: text.unicodeScalars)
                rest = rest.dropFirst(length)
            } else {
                // Bytes below 0x80 are always valid, so this is one of the substitutes.
                if let scalar = Unicode.Scalar(base + UInt32(first)) { scalars.append(scalar) }
                rest = rest.dropFirst()
            }
        }
        return String(scalars)
    }
}
