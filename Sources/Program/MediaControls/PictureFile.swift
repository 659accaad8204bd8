import Foundation
import Hashing
import Logging

/// The current picture as a file that desktops can show; one for each partition.
///
/// The cache's own files may go at any time, and some have no name that tells their kind.
/// - Isolation: its own.
actor PictureFile {
    private let folder: String
    private let prefix: String
    private let log: Logger
    private var current: (song: String, path: String?)?

    /// Keeps its file in `folder`, under a name that begins with `prefix`.
    init(in folder: String, prefix: String, log: Logger) {
        self.folder = folder
        self.prefix = prefix
        self.log = log
    }

    /// Writes the picture of a song, unless it is the one that is there.
    ///
    /// - Returns: the file; nil when the song has no picture, or the file can't be written.
    func path(of song: String, _ load: @Sendable () async -> [UInt8]?) async -> String? {
        if let current, current.song == song { return current.path }
        let bytes = await load()
        remove()
        let path = bytes.flatMap { write($0, for: song) }
        current = (song, path)
        return path
    }

    /// Removes the file.
    func remove() {
        if let path = current?.path { unlink(path) }
        current = nil
    }

    private func write(_ bytes: [UInt8], for song: String) -> String? {
        // Desktops keep pictures by their address: another picture needs another name.
        let path = "\(folder)/\(prefix)-\(String(Self.hash(of: song), radix: 16))"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
            return path
        } catch {
            log.debug("a picture can't be shown at the desktop: \(error)")
            return nil
        }
    }

    private static func hash(of song: String) -> UInt64 {
        var hash = FNV1a()
        hash.combine(song)
        return hash.value
    }
}
