package import GRDB
package import MusicModel

extension MusicIndex {
    /// The kind of entry at a path; nil when there is none. Playlists are never in the tree. A file with the folder of
    /// its own tracks is a song.
    package func kind(
        of uri: String, isolation: isolated (any Actor)? = #isolation
    ) async throws -> EntryKind? {
        try await readOne { database -> EntryKind? in
            let lookup = try TreeLookup(database)
            if try lookup.song(at: uri) != nil { return .song }
            return try lookup.directory(at: uri) == nil ? nil : .directory
        }
    }

    /// `lsinfo DIRECTORY`: songs as blocks, playlist files, directories; stored playlists belong to the command. A
    /// song's path lists that song.
    /// - Throws: `LibraryError.noSuchDirectory`.
    package func listDirectory(
        _ uri: String, mask: TagMask, isolation: isolated (any Actor)? = #isolation
    ) async throws -> AnswerCursor {
        let form = SongText.Form.blocks(mask)
        if let cursor = memory?.contents(of: uri, form) { return cursor }
        let text = DirectoryText(withTime: true)
        return try await readFew { database in
            try contents(of: uri, form, text, database, atMost: Self.few)
        } orElse: { [self] database in
            try contents(of: uri, form, text, database)
        }
    }

    /// `listall`, `listallinfo`: the directory (or the one song) and everything below it.
    /// - Throws: `LibraryError.noSuchDirectory`.
    package func walk(
        _ uri: String, detail: WalkDetail, mask: TagMask, isolation: isolated (any Actor)? = #isolation
    ) async throws -> AnswerCursor {
        let form: SongText.Form = detail == .blocks ? .blocks(mask) : .uris
        if let cursor = memory?.tree(below: uri, form) { return cursor }
        return try await read { [self] database in
            let order = try cache.order(database)
            if let directories = try TreeLookup(database).subtree(of: uri, in: order) {
                let text = DirectoryText(withTime: detail == .blocks)
                let playlists = try PlaylistFileText(database: database, withTime: text.withTime).linesByDirectory()
                let texts =
                    detail == .uris ? try cache.texts(database, order: order) : cache.known(order)?.texts
                let tree = AnswerWork.Tree(
                    order: order, directories: directories, form: form, directoryText: text, playlists: playlists,
                    texts: texts)
                return try AnswerCursor(self, .tree(tree), database)
            }
            return try song(at: uri, form, database)
        }
    }

    /// `listfiles`: names only, with sizes.
    /// - Throws: `LibraryError.noSuchDirectory`.
    @concurrent
    package func listFolder(_ uri: String) async throws -> AnswerCursor {
        try await read { [self] database in
            try contents(of: uri, .names, DirectoryText(withTime: true, nameOnly: true), database)
        }
    }

    /// A song, or all songs below a directory in tree order (`add`).
    /// - Throws: `LibraryError.noSuchDirectory`.
    package func queueable(
        below uri: String, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [QueueableSong] {
        if let songs = memory?.queueable(below: uri) { return songs }
        return try await readFew { database in
            let lookup = try TreeLookup(database)
            if try lookup.directory(at: uri) == nil, let song = try lookup.song(at: uri) {
                return try SongReader(database).queueable([UInt32(clamping: song)])
            }
            guard let order = try cache.known(database)?.order,
                let directories = try lookup.subtree(of: uri, in: order)
            else { return nil }
            let songs = order.songs(inDirectories: directories)
            return songs.count <= Self.few ? try SongReader(database).queueable(songs) : nil
        } orElse: { [self] database in
            let reader = try SongReader(database)
            guard try TreeLookup(database).directory(at: uri) != nil else {
                return try reader.queueable([UInt32(clamping: try existingSong(uri, database))])
            }
            let order = try cache.order(database)
            guard let directories = try TreeLookup(database).subtree(of: uri, in: order) else { return [] }
            let songs = order.songs(inDirectories: directories)
            return try queueable(songs, order, reader, database)
        }
    }

    /// Songs of the tree with the fields for the queue; many of them are not looked up one by one.
    func queueable(
        _ songs: ArraySlice<UInt32>, _ order: WalkOrder, _ reader: SongReader, _ database: Database
    ) throws -> [QueueableSong] {
        guard songs.count > 1000 else { return try reader.queueable(songs) }
        return reader.queueable(songs, order, try cache.gains(database, order: order))
    }

    /// These songs with the fields for the queue, many of which memory is asked for; those that are gone are left out.
    package func queueable(_ songs: [UInt32], _ database: Database) throws -> [QueueableSong] {
        let reader = try SongReader(database)
        guard songs.count > Self.few else { return try reader.queueable(songs[...]) }
        return try queueable(songs[...], try cache.order(database), reader, database)
    }

    /// The songs that their sources have, hidden ones too.
    /// - Parameter readsThem: whether they are read where memory does not have them; otherwise the answer is nil then.
    package func presentSongs(_ database: Database, readsThem: Bool) throws -> SongSet? {
        try readsThem ? cache.order(database).present : cache.known(database)?.order.present
    }

    // MARK: From the index

    private func existingSong(_ uri: String, _ database: Database) throws -> Int64 {
        guard let song = try TreeLookup(database).song(at: uri) else {
            throw LibraryError(.noSuchDirectory, "No such directory")
        }
        return song
    }

    /// A single song, with the cue sheet within it that may be loaded.
    /// - Throws: `LibraryError.noSuchDirectory`.
    private func song(at uri: String, _ form: SongText.Form, _ database: Database) throws -> AnswerCursor {
        let song = UInt32(clamping: try existingSong(uri, database))
        let playlist = form == .names ? [] : try PlaylistFileText(database: database, withTime: true).lines(at: uri)
        return try AnswerCursor(self, .items([.songs([song][...], form), .text(playlist)]), database)
    }

    /// The contents of a directory.
    /// - Throws: `LibraryError.noSuchDirectory`.
    private func contents(
        of uri: String, _ form: SongText.Form, _ text: DirectoryText, _ database: Database
    ) throws -> AnswerCursor {
        guard let cursor = try contents(of: uri, form, text, database, atMost: .max) else {
            throw LibraryError(.noSuchDirectory, "No such directory")
        }
        return cursor
    }

    /// The contents of a directory; nil when that is more than `limit` songs or directories.
    private func contents(
        of uri: String, _ form: SongText.Form, _ text: DirectoryText, _ database: Database, atMost limit: Int
    ) throws -> AnswerCursor? {
        guard let directory = try TreeLookup(database).directory(at: uri) else {
            return try song(at: uri, form, database)
        }
        var songs: [UInt32] = []
        let songRows = try SQLStatement(
            database, "SELECT id FROM song INDEXED BY song_walk WHERE walk >= ? AND walk < ? ORDER BY walk")
        songRows.bind(
            all: directory.number << Schema.positionBits, directory.number.addingClamped(1) << Schema.positionBits)
        defer { songRows.reset() }
        while try songRows.step() {
            guard songs.count < limit else { return nil }
            songs.append(UInt32(clamping: songRows.int(0)))
        }
        guard let directories = try children(of: directory, text, database, atMost: limit) else { return nil }
        let playlists =
            form == .names ? [] : try PlaylistFileText(database: database, withTime: true).lines(inDirectory: uri)
        return try AnswerCursor(
            self, .items([.songs(songs[...], form), .text(playlists), .text(directories)]), database)
    }

    /// The lines of the directories in a directory; nil when there are more than `limit`. Very many, as in the root,
    /// come from memory if they are there.
    private func children(
        of directory: TreeLookup.Directory, _ text: DirectoryText, _ database: Database, atMost limit: Int
    ) throws -> [UInt8]? {
        guard limit > Self.few, text.withTime, !text.nameOnly, let known = try cache.known(database),
            let texts = known.texts
        else { return try text.children(of: directory, database, atMost: limit) }
        var bytes: [UInt8] = []
        let index = known.order.directoryIndex(atNumber: directory.number)
        return texts.appendChildren(of: index, atMost: limit, to: &bytes) ? bytes : nil
    }
}
