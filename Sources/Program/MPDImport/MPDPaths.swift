import Foundation
import MusicModel

/// Paths as they stand in an `mpd.conf`.
///
/// - Source: MPD v0.24.13 src/config/Path.cxx and src/fs/glue/StandardDirectory.cxx.
package struct MPDPaths: Sendable {
    /// The folder for `~` and `$HOME`: that of the user as which MPD runs.
    let home: String
    /// True if `~` means the same to Segue, whose configuration may then keep it.
    private let keepsTilde: Bool
    private let environment: [String: String]

    /// Paths of this user's.
    ///
    /// - Parameters:
    ///   - user: the setting `user`; nil where MPD runs as the user who starts it.
    ///   - settingsFile: root's MPD is mostly that of the user whom the file belongs to.
    ///   - isRoot: root writes configurations for others.
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

    private func folder(_ name: String) -> String? {
        environment[name].flatMap { $0.isAbsolutePath ? $0 : nil }
    }

    /// The folder that `user-dirs.dirs` has for music.
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

    private static func home(of user: String) -> String? {
        getpwnam(user).map { String(cString: $0.pointee.pw_dir) }
    }
}
