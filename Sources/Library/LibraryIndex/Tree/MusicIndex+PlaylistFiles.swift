import GRDB
import MPDProtocol
package import MusicModel

/// A playlist file in a local folder.
package struct FoundPlaylistFile: Hashable, Sendable {
    var path: String
    var source: String
    /// When it changed, in Unix seconds; less than 0 is not shown.
    package var modified: Int64

    /// Describes a file.
    package init(path: String, source: String, modified: Int64) {
        (self.path, self.source, self.modified) = (path, source, modified)
    }
}

extension MusicIndex {
    /// Replaces what is known of the playlist files of a mount, or of those below `start`; true if that changed
    /// anything.
    package func replacePlaylistFiles(
        _ files: [FoundPlaylistFile], mount: String, below start: String = ""
    ) async throws -> Bool {
        let now = UnixTime.seconds
        let hasChanged = try await write { database in
            let rows = try database.rows("SELECT path, source, modified FROM playlist_file WHERE mount = ?", mount) {
                FoundPlaylistFile(path: $0.text(0), source: $0.text(1), modified: $0.int(2))
            }
            let known = rows.filter { $0.path.isPath(in: start) }
            if Set(known) == Set(files) { return false }
            let deletion = try SQLStatement(database, "DELETE FROM playlist_file WHERE path = ?")
            for file in known { try deletion.run(file.path) }
            let insertion = try SQLStatement(
                database,
                "INSERT OR REPLACE INTO playlist_file (path, parent, mount, source, modified) VALUES (?, ?, ?, ?, ?)")
            for file in files {
                try insertion.run(file.path, directoryPath(of: file.path), mount, file.source, file.modified)
            }
            try Self.keepFolders(of: files, andOf: known, database)
            try database.run("UPDATE library SET generation = generation + 1, updated = max(updated + 1, ?)", now)
            return true
        }
        if hasChanged {
            cache.clear()
            warmUp()
        }
        return hasChanged
    }

    private static func keepFolders(
        of files: [FoundPlaylistFile], andOf former: [FoundPlaylistFile], _ database: Database
    ) throws {
        var tree = DirectoryTree(database)
        var touched = Set(try tree.ensure(Set(files.map { ExactText(directoryPath(of: $0.path)) })).values.map(\.id))
        let lookup = try TreeLookup(database)
        for file in former {
            if let folder = try lookup.directory(at: directoryPath(of: file.path)) { touched.insert(folder.id) }
        }
        try tree.date(try tree.prune(touched))
    }

    /// The absolute paths of the playlist files of a mount.
    package func playlistSources(mount: String) async throws -> [String] {
        try await database.rows("SELECT source FROM playlist_file WHERE mount = ?", mount) { $0.text(0) }
    }

    /// The songs that a cue sheet, or a file with one in it, stands for; nil for anything else.
    package func songs(ofCueSheet path: String) async throws -> [SongID]? {
        try await read { database in
            guard try database.has("SELECT 1 FROM playlist_file WHERE path = ?", path),
                let directory = try TreeLookup(database).directory(at: path)
            else { return nil }
            return try database.rows(
                "SELECT id FROM song INDEXED BY song_walk WHERE walk >= ? AND walk < ? ORDER BY walk",
                directory.number << Schema.positionBits, directory.number.addingClamped(1) << Schema.positionBits
            ) { SongID(rawValue: $0.int(0)) }
        }
    }
}

enum PlaylistFileText {
    /// The lines of the playlist files whose `column` is a path: `parent` for those in a directory, `path` for one.
    static func lines(where column: StaticString, is path: String, _ database: Database) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try database.forEach(
            "SELECT path, modified FROM playlist_file WHERE \(column) = ? ORDER BY path", path
        ) { append($0, column: 0, withTime: true, to: &bytes) }
        return bytes
    }

    /// The lines of all playlists by the numbers of their directories; mostly there are none.
    static func linesByDirectory(withTime: Bool, _ database: Database) throws -> [Int64: [UInt8]] {
        var lines: [Int64: [UInt8]] = [:]
        try database.forEach(
            """
            SELECT d.id, p.path, p.modified FROM playlist_file p JOIN directory d ON d.path = p.parent
            ORDER BY p.parent, p.path
            """
        ) { append($0, column: 1, withTime: withTime, to: &lines[$0.int(0), default: []]) }
        return lines
    }

    private static func append(_ rows: SQLStatement, column: Int32, withTime: Bool, to bytes: inout [UInt8]) {
        bytes.appendPlaylist(rows.bytes(column))
        if withTime, case let time = rows.int(column + 1), time >= 0 { bytes.appendLastModified(time) }
    }
}
