import Foundation

/// All that Segue has stored on this machine.
package struct StoredData {
    private let stateDirectory: String
    private let cacheDirectory: String
    /// Everything that is there.
    package let items: [StoredItem]

    /// Looks into both directories.
    package init(stateDirectory: String, cacheDirectory: String) {
        (self.stateDirectory, self.cacheDirectory) = (stateDirectory, cacheDirectory)
        let state = Self.stateFiles.map { StoredItem(stateDirectory + "/" + $0) }
        let cache = Self.cacheFolders.map { StoredItem(cacheDirectory + "/" + $0) }
        items = (state + cache).filter(\.exists)
    }

    private static let credentials = "credentials.toml"
    /// The files that Segue puts into its state directory, the lock last.
    private static let stateFiles = [
        credentials, "credentials.toml.new", "session", "session.new", "segue.db", "segue.db-wal", "segue.db-shm",
        "segue.db-edits", "segue.lock",
    ]
    /// The folders that Segue puts into its cache directory.
    private static let cacheFolders = ["tracks", "covers", "lyrics", "pictures", "demo"]

    /// True if it includes a token for the server.
    package var hasCredentials: Bool { items.contains { $0.path.hasSuffix("/" + Self.credentials) } }

    /// Removes it, and the directories unless there is something else in them.
    ///
    /// - Throws: `StateFileError`.
    package func remove() throws {
        for item in items { try item.remove() }
        rmdir(cacheDirectory)
        rmdir(stateDirectory)
    }
}

/// A file or a folder of Segue's.
package struct StoredItem {
    /// Where it is.
    package let path: String

    fileprivate init(_ path: String) { self.path = path }

    /// Also for a link to nowhere, which has to go as well.
    fileprivate var exists: Bool { (try? FileManager.default.attributesOfItem(atPath: path)) != nil }

    /// Its size, with all that is in it.
    package var shownSize: String {
        let size = byteCount
        let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        guard let (name, unit) = units.first(where: { size >= $0.1 }) else { return "\(size) bytes" }
        return String(format: "%.1f %@", Double(size) / Double(unit), name)
    }

    private var byteCount: Int {
        let files = FileManager.default
        guard let attributes = try? files.attributesOfItem(atPath: path) else { return 0 }
        guard attributes[.type] as? FileAttributeType == .typeDirectory else { return attributes[.size] as? Int ?? 0 }
        return (files.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).reduce(0) { sum, name in
            sum + ((try? files.attributesOfItem(atPath: "\(path)/\(name)"))?[.size] as? Int ?? 0)
        }
    }

    fileprivate func remove() throws {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw StateFileError("can't remove \(path): \(systemMessage(error))", cause: error)
        }
    }
}
