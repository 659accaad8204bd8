import GRDB

/// A playlist file in a local folder.
public struct FoundPlaylistFile: Hashable, Sendable {
    /// The path that clients use.
    public var path: String
    /// The absolute path.
    public var source: String
    /// When it changed, in Unix seconds.
    public var modified: Int64

    /// Describes a file.
    public init(path: String, source: String, modified: Int64) {
        self.path = path
        self.source = source
        self.modified = modified
    }
}

extension MusicIndex {
    /// Replaces what is known of the playlist files of a mount, of those below the path `start` if that isn't empty;
    /// true if anything changed.
    @concurrent
    public func replacePlaylistFiles(
        _ files: [FoundPlaylistFile], mount: String, below start: String = ""
    ) async throws -> Bool {
        try await write { database in
            var known: Set<FoundPlaylistFile> = []
            let rows = try SQLStatement(database, "SELECT path, source, modified FROM playlist_file WHERE mount = ?")
            rows.bind(1, mount)
            try rows.forEach {
                let file = FoundPlaylistFile(path: rows.text(0), source: rows.text(1), modified: rows.int(2))
                if start.isEmpty || file.path == start || file.path.hasPrefix(start + "/") { known.insert(file) }
            }
            if known == Set(files) { return false }
            let deletion = try SQLStatement(database, "DELETE FROM playlist_file WHERE path = ?")
            for file in known {
                deletion.bind(1, file.path)
                try deletion.run()
            }
            let insertion = try SQLStatement(
                database,
                "INSERT OR REPLACE INTO playlist_file (path, parent, mount, source, modified) VALUES (?, ?, ?, ?, ?)")
            for file in files {
                let slash = file.path.utf8.lastIndex(of: UInt8(ascii: "/"))
                insertion.bind(1, file.path)
                insertion.bind(2, slash.map { String(file.path[..<$0]) } ?? "")
                insertion.bind(3, mount)
                insertion.bind(4, file.source)
                insertion.bind(5, file.modified)
                try insertion.run()
            }
            return true
        }
    }
}

/// Writes the lines of playlist files in directories.
struct PlaylistFileText {
    let database: Database
    /// Whether `Last-Modified` follows, as in `lsinfo` and `listallinfo`.
    let withTime: Bool

    /// The lines of the playlists in the directory of this path.
    func lines(inDirectory path: String) throws -> [UInt8] {
        let rows = try SQLStatement(
            database, "SELECT path, modified FROM playlist_file WHERE parent = ? ORDER BY path")
        rows.bind(1, path)
        var bytes: [UInt8] = []
        try rows.forEach { append(rows, column: 0, to: &bytes) }
        return bytes
    }

    /// The lines of all playlists by the numbers of their directories; mostly there are none.
    func linesByDirectory() throws -> [Int64: [UInt8]] {
        let rows = try SQLStatement(
            database,
            """
            SELECT d.id, p.path, p.modified FROM playlist_file p JOIN directory d ON d.path = p.parent
            ORDER BY p.parent, p.path
            """)
        var lines: [Int64: [UInt8]] = [:]
        try rows.forEach { append(rows, column: 1, to: &lines[rows.int(0), default: []]) }
        return lines
    }

    private func append(_ rows: SQLStatement, column: Int32, to bytes: inout [UInt8]) {
        bytes.appendLine("playlist: ", rows.bytes(column))
        if withTime { bytes.appendTime(rows.int(column + 1)) }
    }
}
