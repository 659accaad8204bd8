import GRDB
import MPDProtocol
package import MusicModel

/// A playlist file in a local folder.
package struct FoundPlaylistFile: Hashable, Sendable {
    /// The path that clients use.
    package var path: String
    /// The absolute path.
    package var source: String
    /// When it changed, in Unix seconds; less than 0 is not shown.
    package var modified: Int64

    /// Describes a file.
    package init(path: String, source: String, modified: Int64) {
        (self.path, self.source, self.modified) = (path, source, modified)
    }
}

extension MusicIndex {
    /// Replaces what is known of the playlist files of a mount, of those below the path `start` if that isn't empty;
    /// true if anything changed. Folders that hold nothing else are there for them.
    @concurrent
    package func replacePlaylistFiles(
        _ files: [FoundPlaylistFile], mount: String, below start: String = ""
    ) async throws -> Bool {
        let now = UnixTime.seconds
        let hasChanged = try await write { database in
            try PlaylistFileWriter(database: database, mount: mount).replace(files, below: start, now: now)
        }
        if hasChanged {
            cache.clear()
            warmUp()
        }
        return hasChanged
    }
}

extension MusicIndex {
    /// The absolute paths of the playlist files of a mount.
    @concurrent
    package func playlistSources(mount: String) async throws -> [String] {
        try await read { database in
            try database.rows("SELECT source FROM playlist_file WHERE mount = ?", mount) { $0.text(0) }
        }
    }

    /// The songs that a cue sheet, or a file with one in it, stands for; nil for anything else.
    @concurrent
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

/// Writes what is known of the playlist files of a mount, inside the caller's transaction.
private struct PlaylistFileWriter {
    let database: Database
    let mount: String

    func replace(_ files: [FoundPlaylistFile], below start: String, now: Int64) throws -> Bool {
        let known = try known(below: start)
        if known == Set(files) { return false }
        let deletion = try SQLStatement(database, "DELETE FROM playlist_file WHERE path = ?")
        for file in known { try deletion.run(file.path) }
        try insert(files)
        try keepFolders(of: files, andOf: known)
        try database.run("UPDATE library SET generation = generation + 1, updated = max(updated + 1, ?)", now)
        return true
    }

    private func known(below start: String) throws -> Set<FoundPlaylistFile> {
        var known: Set<FoundPlaylistFile> = []
        try database.forEach("SELECT path, source, modified FROM playlist_file WHERE mount = ?", mount) { row in
            let file = FoundPlaylistFile(path: row.text(0), source: row.text(1), modified: row.int(2))
            if file.path.isPath(in: start) { known.insert(file) }
        }
        return known
    }

    private func insert(_ files: [FoundPlaylistFile]) throws {
        let insertion = try SQLStatement(
            database,
            "INSERT OR REPLACE INTO playlist_file (path, parent, mount, source, modified) VALUES (?, ?, ?, ?, ?)")
        for file in files {
            try insertion.run(file.path, directoryPath(of: file.path), mount, file.source, file.modified)
        }
    }

    private func keepFolders(of files: [FoundPlaylistFile], andOf former: Set<FoundPlaylistFile>) throws {
        var tree = DirectoryTree(database)
        var touched = Set(try tree.ensure(Set(files.map { ExactText(directoryPath(of: $0.path)) })).values.map(\.id))
        let lookup = try TreeLookup(database)
        for file in former {
            if let folder = try lookup.directory(at: directoryPath(of: file.path)) { touched.insert(folder.id) }
        }
        try tree.date(try tree.prune(touched))
    }
}

struct PlaylistFileText {
    let database: Database
    /// True if `Last-Modified` follows, as in `lsinfo` and `listallinfo`.
    let withTime: Bool

    func lines(inDirectory path: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try database.forEach(
            "SELECT path, modified FROM playlist_file WHERE parent = ? ORDER BY path", path
        ) { append($0, column: 0, to: &bytes) }
        return bytes
    }

    func lines(at path: String) throws -> [UInt8] {
        let row = try SQLStatement(database, "SELECT path, modified FROM playlist_file WHERE path = ?")
        row.bind(1, path)
        var bytes: [UInt8] = []
        _ = try row.first { append($0, column: 0, to: &bytes) }
        return bytes
    }

    /// The lines of all playlists by the numbers of their directories; mostly there are none.
    func linesByDirectory() throws -> [Int64: [UInt8]] {
        var lines: [Int64: [UInt8]] = [:]
        try database.forEach(
            """
            SELECT d.id, p.path, p.modified FROM playlist_file p JOIN directory d ON d.path = p.parent
            ORDER BY p.parent, p.path
            """
        ) { append($0, column: 1, to: &lines[$0.int(0), default: []]) }
        return lines
    }

    private func append(_ rows: SQLStatement, column: Int32, to bytes: inout [UInt8]) {
        bytes.appendPlaylist(rows.bytes(column))
        if withTime, case let time = rows.int(column + 1), time >= 0 { bytes.appendLastModified(time) }
    }
}
