import GRDB
public import MusicModel

extension Library {
    /// What stands at a path; nil when nothing does. Playlists are never in the tree.
    public func kind(of uri: String) async throws -> EntryKind? {
        try await read { database in
            let lookup = try TreeLookup(database)
            if try lookup.song(at: uri) != nil { return .song }
            return try lookup.directory(at: uri) == nil ? nil : .directory
        }
    }

    /// `lsinfo DIRECTORY`: songs as blocks, then directories; playlists belong to the command. A song's path lists
    /// that song.
    ///
    /// - Throws: `LibraryError.noSuchDirectory`.
    public func listDirectory(_ uri: String, mask: TagMask) async throws -> AnswerCursor {
        try await read { [self] database in
            try contents(of: uri, .blocks(mask), DirectoryText(withTime: true), database)
        }
    }

    /// `listall`, `listallinfo`: the directory (or the one song) and everything below it.
    ///
    /// - Throws: `LibraryError.noSuchDirectory`.
    public func walk(_ uri: String, detail: WalkDetail, mask: TagMask) async throws -> AnswerCursor {
        try await read { [self] database in
            let form: SongText.Form = detail == .blocks ? .blocks(mask) : .uris
            let order = try cache.order(database)
            if let directories = try TreeLookup(database).subtree(of: uri, in: order) {
                let text = DirectoryText(withTime: detail == .blocks)
                let tree = AnswerWork.Tree(order: order, directories: directories, form: form, directoryText: text)
                return try AnswerCursor(self, .tree(tree), database)
            }
            let song = UInt32(try existingSong(uri, database))
            return try AnswerCursor(self, .items([.songs([song][...], form)]), database)
        }
    }

    /// `listfiles`: names only, with sizes.
    ///
    /// - Throws: `LibraryError.noSuchDirectory`.
    public func listFolder(_ uri: String) async throws -> AnswerCursor {
        try await read { [self] database in
            try contents(of: uri, .names, DirectoryText(withTime: true, nameOnly: true), database)
        }
    }

    /// A song, or all songs below a directory in tree order (`add`).
    ///
    /// - Throws: `LibraryError.noSuchDirectory`.
    public func queueable(below uri: String) async throws -> [QueueableSong] {
        try await read { [self] database in
            let reader = try SongReader(database)
            guard let directory = try TreeLookup(database).directory(at: uri) else {
                return try reader.queueable([UInt32(try existingSong(uri, database))])
            }
            return try reader.queueable(inDirectories: try TreeLookup(database).numbers(below: directory))
        }
    }

    private func existingSong(_ uri: String, _ database: Database) throws -> Int64 {
        guard let song = try TreeLookup(database).song(at: uri) else {
            throw LibraryError(.noSuchDirectory, "No such directory")
        }
        return song
    }

    private func contents(
        of uri: String, _ form: SongText.Form, _ text: DirectoryText, _ database: Database
    ) throws -> AnswerCursor {
        guard let directory = try TreeLookup(database).directory(at: uri) else {
            let song = UInt32(try existingSong(uri, database))
            return try AnswerCursor(self, .items([.songs([song][...], form)]), database)
        }
        var songs: [UInt32] = []
        let songRows = try SQLStatement(
            database, "SELECT id FROM song INDEXED BY song_walk WHERE walk >= ? AND walk < ? ORDER BY walk")
        songRows.bind(1, directory.number << Schema.placeBits)
        songRows.bind(2, (directory.number + 1) << Schema.placeBits)
        try songRows.forEach { songs.append(UInt32(songRows.int(0))) }
        var directories: [Int64] = []
        let directoryRows = try SQLStatement(database, "SELECT id FROM directory WHERE parent = ? ORDER BY number")
        directoryRows.bind(1, directory.id)
        try directoryRows.forEach { directories.append(directoryRows.int(0)) }
        return try AnswerCursor(
            self, .items([.songs(songs[...], form), .directories(directories[...], text)]), database)
    }
}
