import GRDB
import MusicModel

struct StoredSong {
    var id: Int64
    var uri: String
    /// The path without a number, as the source wanted it.
    var wanted: String
    /// nil while the song is gone or hidden.
    var directory: Int64?
    var isPresent: Bool
    var hash: Int64
    var tags: [TagList.Item]
    var identity: SongIdentity
}

struct SongStore {
    private let database: Database
    private let sourceRow: SQLStatement
    private let pathRow: SQLStatement
    private let trackRows: SQLStatement
    private let insertRow: SQLStatement
    private let updateRow: SQLStatement
    private let blockRow: SQLStatement
    private let losing: [SQLStatement]
    private let hiddenRow: SQLStatement
    private let hiddenDeletion: SQLStatement
    private let goneRow: SQLStatement
    private let goneDeletion: SQLStatement

    init(_ database: Database) throws {
        self.database = database
        sourceRow = try SQLStatement(database, "SELECT \(Self.columns) FROM song WHERE source_id = ? AND mount = ?")
        pathRow = try SQLStatement(database, "SELECT uri FROM song WHERE source_id = ? AND mount = ?")
        trackRows = try SQLStatement(
            database,
            "SELECT id FROM song INDEXED BY song_whole WHERE whole = ? AND mount = ? AND uri IS NOT NULL ORDER BY id")
        insertRow = try SQLStatement(database, Self.insertion)
        updateRow = try SQLStatement(database, Self.update)
        blockRow = try SQLStatement(database, "INSERT OR REPLACE INTO block (id, block) VALUES (?, ?)")
        hiddenRow = try SQLStatement(database, "INSERT OR REPLACE INTO hidden_song (id, tags) VALUES (?, ?)")
        hiddenDeletion = try SQLStatement(database, "DELETE FROM hidden_song WHERE id = ?")
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
    func song(source: String, mount: String) throws -> StoredSong? { try sourceRow.first(source, mount) { stored($0) } }

    func path(source: String, mount: String) throws -> String? {
        try pathRow.first(source, mount) { $0.optionalText(0) } ?? nil
    }

    func hasTracks() throws -> Bool {
        try database.has("SELECT 1 FROM song INDEXED BY song_whole WHERE whole IS NOT NULL")
    }

    func tracks(of source: String, mount: String) throws -> [Int64] { try trackRows.rows(source, mount) { $0.int(0) } }

    /// Songs that are gone, whose numbers wait for them.
    func goneSongs() throws -> [StoredSong] {
        try database.rows(
            "SELECT \(Self.columns) FROM song INDEXED BY song_gone WHERE uri IS NULL ORDER BY id"
        ) { stored($0) }
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
        return try database.first(
            """
            SELECT \(Self.columns), mount, source_id, source_kind, ifnull(source_value, source_id), suffix, size, cover,
                starred, rating, whole FROM song WHERE id = ?
            """, id
        ) { row in
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
            try goneRow.run(id, song.uri, song.lastModified, song.added, TagPairs.encode(song.tags))
        }
        for statement in losing { try statement.run(id) }
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

    func write(_ pending: PendingSong, tags: [TagList.Item]) throws {
        let statement = pending.row == nil ? insertRow : updateRow
        let song = pending.song
        let source = song.source.stored
        let identity = pending.identity
        try statement.run(
            song.mount, song.sourceID, source.kind, ExactText.equal(source.value, song.sourceID) ? nil : source.value,
            pending.uri, ExactText.equal(pending.wanted, pending.uri) ? nil : pending.wanted, pending.directory,
            pending.walk, identity.duration, song.lastModified, song.added, song.format.map { Int64($0.sampleRate) },
            song.format?.sample.code, song.format.map { Int64($0.channels) }, song.replayGain.trackGain,
            song.replayGain.trackPeak, song.replayGain.albumGain, song.replayGain.albumPeak, song.suffix, song.size,
            song.coverArtID, song.starred, song.rating, Int64(bitPattern: song.hash), identity.recording,
            identity.identity, TagList.encode(tags), song.wholeID, pending.id)
        if pending.row != nil { try goneDeletion.run(pending.id) }
        if song.isHidden {
            try hiddenRow.run(pending.id, TagPairs.encode(song.tags))
        } else {
            try hiddenDeletion.run(pending.id)
        }
    }

    func writeBlock(_ id: Int64, _ block: [UInt8]) throws { try blockRow.run(id, block) }
}
