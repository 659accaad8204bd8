import Foundation
import MusicModel

/// Everything that an MPD keeps, as far as it could be read.
package struct MPDInstallation: Sendable {
    /// The settings in its `mpd.conf`.
    package var settings: MPDSettings
    /// The queue, options and outputs.
    package var state = MPDState()
    /// The meaning of `~` and variables in its settings.
    package private(set) var paths: MPDPaths
    /// Files that could not be read, each as a sentence.
    package var problems: [String] = []
    var playlists: [MPDPlaylist] = []
    var stickers: [MPDSticker] = []
    var catalog = MPDCatalog()

    /// The files in which MPD searches for its settings, in its order.
    ///
    /// - Source: MPD v0.24.13 src/CommandLine.cxx.
    package static func settingsFiles(environment: [String: String]) -> [String] {
        let home = environment["HOME"] ?? NSHomeDirectory()
        let configured = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.config"
        return [configured + "/mpd/mpd.conf", home + "/.mpdconf", home + "/.mpd/mpd.conf", "/etc/mpd.conf"]
    }

    /// Reads an `mpd.conf` and all that it names.
    ///
    /// - Parameter environment: the process's environment, for the paths in it.
    /// - Throws: `MPDImportError` when the settings themselves can't be read; what else can't is in `problems`.
    package init(settingsFile: String, environment: [String: String] = [:]) throws(MPDImportError) {
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
        if let path = path("db_file", folder) ?? simpleDatabase(folder) {
            catalog = read { () throws(MPDImportError) in try MPDCatalog(path: path) } ?? catalog
            problems += [catalog.problem].compactMap(\.self)
        }
    }

    /// How many playlists and stickers there are.
    package var counts: (playlists: Int, stickers: Int) { (playlists.count, stickers.count) }

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

    /// The path in a `database` block of the plugin `simple`.
    private func simpleDatabase(_ folder: String) -> String? {
        let block = settings.blocks.first { $0.name == "database" && $0["plugin"] == "simple" }
        return block?["path"].map { paths.absolute($0, in: folder) }
    }
}
