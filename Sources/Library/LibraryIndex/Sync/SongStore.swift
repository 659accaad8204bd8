import GRDB
import MusicModel

/// The fields of a row of `song` that a sync needs.
struct StoredSong {
    var id: Int64
    var uri: String
    /// The path without a number, as the source wanted it.
    var wanted: String
    /// nil while the song is gone or hidden.
    var directory: Int64?
    /// Whether its source has it.
    var isPresent: Bool
    var hash: Int64
    var tags: [TagList.Item]
    var identity: SongIdentity
}

/// Reads and writes rows of `song` and `block`.
struct SongStore {
    private let database: Database
    private let sourceRow: SQLStatement
    private let pathRow: SQLStatement
    private let trackRows: SQLStatement
    private let insertRow: SQLStatement
    private let updateRow: SQLStatement
    private let blockRow: SQLStatement
    private let losing: [SQLStatement]
    private let hiddenTags: HiddenTags
    private let goneRow: SQLStatement
    private let goneDeletion: SQLStatement

    init(_ database: Database) throws {
        self.database = database
        sourceRow = try SQLStatement(
            database, "SELECT \(Self.columns) FROM song WHERE source_id = ? AND mount = ?")
        pathRow = try SQLStatement(database, "SELECT uri FROM song WHERE source_id = ? AND mount = ?")
        trackRows = try SQLStatement(
            database,
            "SELECT id FROM song INDEXED BY song_whole WHERE whole = ? AND mount = ? AND uri IS NOT NULL ORDER BY id")
        insertRow = try SQLStatement(database, Self.insertion)
        updateRow = try SQLStatement(database, Self.update)
        blockRow = try SQLStatement(database, "INSERT OR REPLACE INTO block (id, block) VALUES (?, ?)")
        hiddenTags = try HiddenTags(database)
        goneRow = try SQLStatement(
            database, "INSERT OR REPLACE INTO gone_song (id, uri, modified, added, tags) VALUES (?, ?, ?, ?, ?)")
        goneDeletion = try SQLStatement(database, "DELETE FROM gone_song WHERE id = ?")
        losing = try [
            """
            UPDATE song SET walk = NULL, directory = NULL, wanted = ifnull(wanted, uri), uri = NULL, modified = NULL,
                added = NULL, tags = x'' WHERE id = ?
            """,
            "DELETE FROM block WHERE id = ?", "DELETE FROM hidden_song WHERE id = ?",
        ].map { try SQLStatement(database, $0) }
    }

    private static let columns =
        """
        id, ifnull(uri, ''), ifnull(wanted, uri), directory, uri IS NOT NULL, hash, tags, recording, identity, \
        duration
        """

    /// The row of a source's id, whether it is there or not.
    func song(source: String, mount: String) throws -> StoredSong? {
        sourceRow.bind(1, source)
        sourceRow.bind(2, mount)
        return try sourceRow.first { stored(sourceRow) }
    }

    /// The path of a source's id; nil while its song is gone.
    func path(source: String, mount: String) throws -> String? {
        pathRow.bind(1, source)
        pathRow.bind(2, mount)
        return try pathRow.first { pathRow.optionalText(0) } ?? nil
    }

    /// Whether there are tracks of whole songs.
    func hasTracks() throws -> Bool {
        try database.integer("SELECT EXISTS (SELECT 1 FROM song INDEXED BY song_whole WHERE whole IS NOT NULL)") != 0
    }

    /// The tracks that are parts of a song.
    func tracks(of source: String, mount: String) throws -> [Int64] {
        trackRows.bind(1, source)
        trackRows.bind(2, mount)
        var found: [Int64] = []
        try trackRows.forEach { found.append(trackRows.int(0)) }
        return found
    }

    /// Songs that are gone, whose numbers wait for them.
    func goneSongs() throws -> [StoredSong] {
        let rows = try SQLStatement(
            database, "SELECT \(Self.columns) FROM song INDEXED BY song_gone WHERE uri IS NULL ORDER BY id")
        var songs: [StoredSong] = []
        try rows.forEach { songs.append(stored(rows)) }
        return songs
    }

    private func stored(_ row: SQLStatement) -> StoredSong {
        StoredSong(
            id: row.int(0), uri: row.text(1), wanted: row.text(2), directory: row.optionalInt(3),
            isPresent: row.int(4) != 0, hash: row.int(5), tags: TagList.decode(row.bytes(6)),
            identity: SongIdentity(
                path: row.text(2), recording: row.optionalInt(7), identity: row.optionalInt(8),
                duration: row.optionalInt(9)))
    }

    /// A song of the tree as its source described it, to write it again elsewhere.
    func indexedSong(_ id: Int64) throws -> (song: IndexedSong, row: StoredSong)? {
        guard let song = try SongReader(database).song(id) else { return nil }
        let row = try SQLStatement(
            database,
            """
            SELECT \(Self.columns), mount, source_id, source_kind, ifnull(source_value, source_id), suffix, size, cover,
                starred, rating, whole FROM song WHERE id = ?
            """)
        row.bind(1, id)
        return try row.first {
            let stored = stored(row)
            let mount = row.text(10)
            let prefix = mount.isEmpty ? 0 : CleanText.path(mount, fallback: "mount").utf8.count + 1
            var indexed = IndexedSong(
                mount: mount, sourceID: row.text(11), source: SongSource(kind: row.int(12), value: row.text(13)),
                path: String(decoding: stored.wanted.utf8.dropFirst(prefix), as: UTF8.self), tags: song.tags,
                duration: song.duration, lastModified: song.lastModified, added: song.added, format: song.format,
                replayGain: song.replayGain, suffix: row.text(14), size: row.optionalInt(15),
                coverArtID: row.optionalText(16), starred: row.int(17) != 0, rating: Int(row.int(18)),
                hash: UInt64(bitPattern: stored.hash))
            indexed.wholeID = row.optionalText(19)
            return (indexed, stored)
        }
    }

    /// Takes a song from clients and keeps its number, and its text for queues.
    func lose(_ id: Int64) throws {
        if let song = try SongReader(database).song(id) {
            goneRow.bind(1, id)
            goneRow.bind(2, song.uri)
            goneRow.bind(3, song.lastModified)
            goneRow.bind(4, song.added)
            goneRow.bind(5, TagPairs.encode(song.tags))
            try goneRow.run()
        }
        for statement in losing {
            statement.bind(1, id)
            try statement.run()
        }
    }

    private static let written = [
        "mount", "source_id", "source_kind", "source_value", "uri", "wanted", "directory", "walk", "duration",
        "modified", "added", "sample_rate", "sample", "channels", "track_gain", "track_peak", "album_gain",
        "album_peak", "suffix", "size", "cover", "starred", "rating", "hash", "recording", "identity", "tags",
        "whole",
    ]

    private static let insertion = """
        INSERT INTO song (\(written.joined(separator: ", ")), id)
        VALUES (\(repeatElement("?", count: written.count + 1).joined(separator: ", ")))
        """

    private static let update = """
        UPDATE song SET \(written.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?
        """

    /// Inserts or updates a row.
    func write(_ pending: PendingSong, tags: [TagList.Item]) throws {
        let statement = pending.row == nil ? insertRow : updateRow
        let song = pending.song
        let source = song.source.stored
        let identity = pending.identity
        statement.bind(1, song.mount)
        statement.bind(2, song.sourceID)
        statement.bind(3, source.kind)
        statement.bind(4, ExactText.equal(source.value, song.sourceID) ? nil : source.value)
        statement.bind(5, pending.uri)
        statement.bind(6, ExactText.equal(pending.wanted, pending.uri) ? nil : pending.wanted)
        statement.bind(7, pending.directory)
        statement.bind(8, pending.walk)
        statement.bind(9, identity.duration)
        statement.bind(10, song.lastModified)
        statement.bind(11, song.added)
        statement.bind(12, song.format.map { Int64($0.sampleRate) })
        statement.bind(13, song.format?.sample.code)
        statement.bind(14, song.format.map { Int64($0.channels) })
        statement.bind(15, song.replayGain.trackGain)
        statement.bind(16, song.replayGain.trackPeak)
        statement.bind(17, song.replayGain.albumGain)
        statement.bind(18, song.replayGain.albumPeak)
        statement.bind(19, song.suffix)
        statement.bind(20, song.size)
        statement.bind(21, song.coverArtID)
        statement.bind(22, song.starred ? 1 : 0)
        statement.bind(23, song.rating)
        statement.bind(24, Int64(bitPattern: song.hash))
        statement.bind(25, identity.recording)
        statement.bind(26, identity.identity)
        statement.bind(27, TagList.encode(tags))
        statement.bind(28, song.wholeID)
        statement.bind(29, pending.id)
        try statement.run()
        if pending.row != nil {
            goneDeletion.bind(1, pending.id)
            try goneDeletion.run()
        }
        if song.isHidden { try hiddenTags.write(song.tags, of: pending.id) } else { try hiddenTags.remove(pending.id) }
    }

    /// Stores the text that clients get.
    func writeBlock(_ id: Int64, _ block: [UInt8]) throws {
        blockRow.bind(1, id)
        blockRow.bind(2, block)
        try blockRow.run()
    }
}
