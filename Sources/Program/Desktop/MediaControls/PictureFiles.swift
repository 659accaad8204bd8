import Foundation
import Coordination
import Logging
import MusicModel

/// The current pictures as files that desktops can show; one for each partition.
///
/// The cache's own files may go at any time, and some have no name that tells their kind.
/// - Isolation: its own.
actor PictureFiles {
    private struct Shown {
        var song: String
        /// Nil when the song has no picture, or the file can't be written.
        var path: String?
    }

    private let folder: String
    private let log: Logger
    private let load: @Sendable (_ song: String) async -> [UInt8]?
    private var shown: [String: Shown] = [:]

    /// Keeps its files in `folder`; `load` gives the picture of a song.
    init(in folder: String, log: Logger, _ load: @escaping @Sendable (_ song: String) async -> [UInt8]?) {
        self.folder = folder
        self.log = log
        self.load = load
    }

    /// Writes the picture of a song, unless it is the one that is there, and removes the one before.
    ///
    /// - Returns: the file; nil when the song has no picture, or the file can't be written.
    func path(of song: String, for partition: String) async -> String? {
        if let shown = shown[partition], shown.song == song { return shown.path }
        let bytes = await load(song)
        remove(for: partition)
        let path = bytes.flatMap { write($0, of: song, for: partition) }
        shown[partition] = Shown(song: song, path: path)
        return path
    }

    /// Removes the file of a partition.
    func remove(for partition: String) {
        if let path = shown.removeValue(forKey: partition)?.path { unlink(path) }
    }

    /// Removes all files.
    func removeAll() {
        for partition in Array(shown.keys) { remove(for: partition) }
    }

    private func write(_ bytes: [UInt8], of song: String, for partition: String) -> String? {
        // Desktops keep pictures by their address: another picture needs another name.
        var hash = FNV1a()
        hash.combine(song)
        let path = "\(folder)/cover-\(DesktopPlayers.busName(partition))-\(String(hash.value, radix: 16))"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
            return path
        } catch {
            log.debug("a picture can't be shown at the desktop: \(chain: error)")
            return nil
        }
    }
}
