package import GRDB
package import MusicModel

/// The tree. What needs a directory throws `LibraryError.noSuchDirectory`.
extension MusicIndex {
    /// The kind of entry at a path; nil when there is none. A file with the folder of its own tracks is a song.
    package func kind(of uri: String, isolation: isolated (any Actor)? = #isolation) async throws -> EntryKind? {
        try await readOne { database -> EntryKind? in
            let lookup = try TreeLookup(database)
            if try lookup.song(at: uri) != nil { return .song }
            return try lookup.directory(at: uri) == nil ? nil : .directory
        }
    }

    /// `lsinfo DIRECTORY`, or of a song: songs as blocks, playlist files, directories.
    package func listDirectory(
        _ uri: String, mask: TagMask, isolation: isolated (any Actor)? = #isolation
    ) async throws -> AnswerCursor {
        let form = SongText.Form.blocks(mask)
        if let cursor = memory?.contents(of: uri, form) { return cursor }
        return try await read { [self] in try contents(of: uri, form, DirectoryText(withTime: true), $0) }
    }

    /// `listall`, `listallinfo`: the directory (or the one song) and everything below it.
    package func walk(
        _ uri: String, detail: WalkDetail, mask: TagMask, isolation: isolated (any Actor)? = #isolation
    ) async throws -> AnswerCursor {
        let form: SongText.Form = detail == .blocks ? .blocks(mask) : .uris
        if let cursor = memory?.tree(below: uri, form) { return cursor }
        return try await read { [self] database in
            let order = try cache.order(database)
            if let directories = try TreeLookup(database).subtree(of: uri, in: order) {
                let text = DirectoryText(withTime: detail == .blocks)
                let playlists = try PlaylistFileText.linesByDirectory(withTime: text.withTime, database)
                let texts = detail == .uris ? try cache.texts(database, order: order) : cache.known(order)?.texts
                let tree = AnswerWork.Tree(
                    order: order, directories: directories, form: form, directoryText: text, playlists: playlists,
                    texts: texts)
                return try AnswerCursor(self, [], tree: tree, database)
            }
            return try song(at: uri, form, database)
        }
    }

    /// `listfiles`: names only, with sizes.
    package func listFolder(_ uri: String) async throws -> AnswerCursor {
        try await read { [self] database in
            try contents(of: uri, .names, DirectoryText(withTime: true, nameOnly: true), database)
        }
    }

    /// A song, or all songs below a directory in tree order (`add`).
    package func queueable(
        below uri: String, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [QueueableSong] {
        if let songs = memory?.queueable(below: uri) { return songs }
        return try await readFew { database in
            try queueable(below: uri, database, isFew: true)
        } orElse: { [self] database in
            try queueable(below: uri, database, isFew: false) ?? []
        }
    }

    /// Nil where `isFew` says that few are wanted and there are more, or that can't be told yet.
    private func queueable(below uri: String, _ database: Database, isFew: Bool) throws -> [QueueableSong]? {
        let lookup = try TreeLookup(database)
        guard try lookup.directory(at: uri) != nil else {
            return try queueable([UInt32(clamping: existingSong(uri, database))], database)
        }
        guard let order = try isFew ? cache.known(database)?.order : cache.order(database),
            let directories = try lookup.subtree(of: uri, in: order)
        else { return nil }
        let songs = order.songs(inDirectories: directories)
        return !isFew || songs.count <= Self.few ? try queueable(songs, database) : nil
    }

    /// These songs with the fields for the queue, many of them from memory; those that are gone are left out.
    package func queueable(_ songs: ArraySlice<UInt32>, _ database: Database) throws -> [QueueableSong] {
        if songs.count > 1000 {
            let order = try cache.order(database)
            let gains = try cache.gains(database, order: order)
            return songs.lazy.filter { order.present.contains(Int64($0)) }.map { QueueableSong($0, order, gains) }
        }
        let row = try SQLStatement(
            database,
            """
            SELECT id, duration, track_gain, track_peak, album_gain, album_peak FROM song
            WHERE id = ? AND uri IS NOT NULL
            """)
        return try songs.compactMap { song in
            try row.first(Int64(song)) { row in
                QueueableSong(
                    id: SongID(rawValue: row.int(0)), duration: row.optionalInt(1).map { .milliseconds($0) },
                    replayGain: row.replayGain(2))
            }
        }
    }

    /// The songs that their sources have, hidden ones too; nil where memory has them not, unless `readsThem`.
    package func presentSongs(_ database: Database, readsThem: Bool) throws -> SongSet? {
        try readsThem ? cache.order(database).present : cache.known(database)?.order.present
    }

    private func existingSong(_ uri: String, _ database: Database) throws -> Int64 {
        guard let song = try TreeLookup(database).song(at: uri) else {
            throw LibraryError(.noSuchDirectory, "No such directory")
        }
        return song
    }

    /// A single song, with the cue sheet within it that may be loaded.
    private func song(at uri: String, _ form: SongText.Form, _ database: Database) throws -> AnswerCursor {
        let song = UInt32(clamping: try existingSong(uri, database))
        let playlist = form == .names ? [] : try PlaylistFileText.lines(where: "path", is: uri, database)
        return try AnswerCursor(self, [.songs([song][...], form), .text(playlist)], database)
    }

    private func contents(
        of uri: String, _ form: SongText.Form, _ text: DirectoryText, _ database: Database
    ) throws -> AnswerCursor {
        guard let directory = try TreeLookup(database).directory(at: uri) else {
            return try song(at: uri, form, database)
        }
        let songs = try database.rows(
            "SELECT id FROM song INDEXED BY song_walk WHERE walk >= ? AND walk < ? ORDER BY walk",
            directory.number << Schema.positionBits, directory.number.addingClamped(1) << Schema.positionBits
        ) { UInt32(clamping: $0.int(0)) }
        let playlists = form == .names ? [] : try PlaylistFileText.lines(where: "parent", is: uri, database)
        return try AnswerCursor(
            self, [.songs(songs[...], form), .text(playlists), .text(children(of: directory, text, database))],
            database)
    }

    /// The lines of the directories in a directory, from memory if they are there: the root has very many.
    private func children(
        of directory: TreeLookup.Directory, _ text: DirectoryText, _ database: Database
    ) throws -> [UInt8] {
        guard text.withTime, !text.nameOnly, let known = try cache.known(database), let texts = known.texts else {
            return try text.children(of: directory, database)
        }
        var bytes: [UInt8] = []
        _ = texts.appendChildren(of: known.order.directoryIndex(atNumber: directory.number), to: &bytes)
        return bytes
    }
}
