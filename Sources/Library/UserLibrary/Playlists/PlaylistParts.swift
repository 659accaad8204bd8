import GRDB
import LibraryIndex
import MusicModel

/// The entries of stored playlists as the database has them, inside a transaction.
///
/// An entry is a code: a song's number, or one with the highest bit set for the few that are something else. Codes
/// stand in parts of some hundreds, so that an addition to a long playlist is a small write, and all of it a quick
/// read.
struct PlaylistParts {
    /// The content of an entry.
    enum Content: Hashable {
        /// A song by its number in the index, whether it is there at the moment or not.
        case song(Int64)
        case stream(url: String, tags: [TagValue])
        /// A song of the server, by its id there, that the index does not have yet.
        case awaited(serverSong: String)
    }

    /// The entries of one playlist, in order.
    struct Entries {
        var codes: [UInt32] = []
        /// The entries that the codes with the highest bit stand for.
        var others: [UInt32: Content] = [:]

        func content(_ code: UInt32) -> Content {
            code & PlaylistParts.otherBit == 0 ? .song(Int64(code)) : others[code] ?? .awaited(serverSong: "")
        }

        /// The entries that clients see, by what is said of their songs.
        func visible(_ isVisible: (UInt32) throws -> Bool) rethrows -> [UInt32] {
            try codes.filter { code in
                if code & PlaylistParts.otherBit == 0 { return try isVisible(code) }
                if case .stream = others[code] { return true }
                return false
            }
        }

        /// The item that clients get of an entry that they see.
        func item(_ code: UInt32) -> QueueItem {
            if case .stream(let url, let tags) = content(code) { return .stream(url: url, tags: tags) }
            return .song(SongID(rawValue: Int64(code)))
        }
    }

    /// How many entries a part has at most: two parts fill a page of the database.
    static let capacity = 512
    /// Set in codes that are a number in `playlist_other`. Songs never have such high numbers: sets of them have a bit
    /// for each.
    static let otherBit: UInt32 = 1 << 31
    private static let partBits: Int64 = 24

    private let database: Database

    init(_ database: Database) { self.database = database }

    private static func ids(_ playlist: Int64) -> ClosedRange<Int64> {
        // A damaged database may have any number here.
        let playlist = playlist.clamped(to: 0...(Int64.max >> partBits) - 1)
        return playlist << partBits...((playlist + 1) << partBits) - 1
    }

    private func statement(_ sql: String, _ playlist: Int64) throws -> SQLStatement {
        let statement = try SQLStatement(database, sql)
        let ids = Self.ids(playlist)
        statement.bind(1, ids.lowerBound)
        statement.bind(2, ids.upperBound)
        return statement
    }

    // MARK: Reading

    /// How many entries a playlist has, hidden ones included.
    func count(_ playlist: Int64) throws -> Int {
        let row = try statement(
            "SELECT ifnull(sum(length(entries)), 0) / 4 FROM playlist_part WHERE id BETWEEN ?1 AND ?2", playlist)
        return try row.first { Int(row.int(0)) } ?? 0
    }

    /// How many entries a playlist has at most, from the numbers of its first and last parts alone.
    func mostEntries(_ playlist: Int64) throws -> Int {
        let row = try statement(
            """
            SELECT 1 + (SELECT max(id) FROM playlist_part WHERE id BETWEEN ?1 AND ?2)
                - (SELECT min(id) FROM playlist_part WHERE id BETWEEN ?1 AND ?2)
            """, playlist)
        return (try row.first { Int(row.int(0)) } ?? 0).multipliedClamped(by: Self.capacity)
    }

    /// Whether a playlist has more entries than `limit`, hidden ones included. A long one is not read for that.
    func isLonger(_ playlist: Int64, than limit: Int) throws -> Bool {
        // No part is empty, so that so many parts are enough.
        let row = try statement(
            """
            SELECT ifnull(sum(bytes), 0) / 4 FROM
                (SELECT length(entries) AS bytes FROM playlist_part WHERE id BETWEEN ?1 AND ?2 LIMIT ?3)
            """, playlist)
        row.bind(3, limit.addingClamped(1))
        return try row.first { row.int(0) > Int64(limit) } ?? false
    }

    /// All entries of a playlist.
    func entries(_ playlist: Int64) throws -> Entries {
        let rows = try statement(
            "SELECT entries FROM playlist_part WHERE id BETWEEN ?1 AND ?2 ORDER BY id", playlist)
        var entries = Entries()
        var hasOthers = false
        try rows.forEach {
            let bytes = rows.bytes(0)
            entries.codes.reserveCapacity(entries.codes.count + bytes.count / 4)
            for code in Self.decode(bytes) {
                hasOthers = hasOthers || code & Self.otherBit != 0
                entries.codes.append(code)
            }
        }
        if hasOthers { entries.others = try others(playlist) }
        return entries
    }

    private func others(_ playlist: Int64) throws -> [UInt32: Content] {
        let rows = try SQLStatement(
            database, "SELECT number, url, tags, server_song FROM playlist_other WHERE playlist = ?")
        rows.bind(1, playlist)
        var others: [UInt32: Content] = [:]
        try rows.forEach {
            others[Self.otherBit | UInt32(truncatingIfNeeded: rows.int(0))] =
                if let url = rows.optionalText(1) {
                    .stream(url: url, tags: TagPairs.decode(rows.bytes(2)))
                } else {
                    .awaited(serverSong: rows.text(3))
                }
        }
        return others
    }

    /// Entries that wait for a song that the index has by now: the playlist, the entry's code, and the song.
    func found() throws -> [(playlist: Int64, code: UInt32, song: Int64)] {
        let rows = try SQLStatement(
            database,
            """
            SELECT o.playlist, o.number, (SELECT id FROM song WHERE source_id = o.server_song AND source_kind = 0) AS song
            FROM playlist_other o WHERE o.server_song IS NOT NULL AND song IS NOT NULL ORDER BY o.playlist
            """)
        var found: [(Int64, UInt32, Int64)] = []
        try rows.forEach {
            found.append((rows.int(0), Self.otherBit | UInt32(truncatingIfNeeded: rows.int(1)), rows.int(2)))
        }
        return found
    }

    // MARK: Writing

    /// Puts entries behind the last one.
    func append(_ playlist: Int64, _ contents: [Content]) throws {
        try append(playlist, codes: try codes(playlist, contents))
    }

    /// Removes all entries.
    func removeAll(_ playlist: Int64) throws {
        try statement("DELETE FROM playlist_part WHERE id BETWEEN ?1 AND ?2", playlist).run()
        let others = try SQLStatement(database, "DELETE FROM playlist_other WHERE playlist = ?")
        others.bind(1, playlist)
        try others.run()
    }

    /// Replaces entries that waited for songs by those songs.
    func resolve(_ playlist: Int64, _ songs: [UInt32: Int64]) throws {
        let codes = try entries(playlist).codes.map { code in songs[code].map { Self.code(ofSong: $0) } ?? code }
        try statement("DELETE FROM playlist_part WHERE id BETWEEN ?1 AND ?2", playlist).run()
        try append(playlist, codes: codes)
        let deletion = try SQLStatement(database, "DELETE FROM playlist_other WHERE playlist = ? AND number = ?")
        for code in songs.keys {
            deletion.bind(1, playlist)
            deletion.bind(2, Int64(code & ~Self.otherBit))
            try deletion.run()
        }
    }

    private static func code(ofSong id: Int64) -> UInt32 { UInt32(truncatingIfNeeded: id) & ~otherBit }

    /// The codes of new entries, of which those that are no songs are written.
    private func codes(_ playlist: Int64, _ contents: [Content]) throws -> [UInt32] {
        var next: Int64?
        return try contents.map { content in
            if case .song(let id) = content { return Self.code(ofSong: id) }
            let number = try next ?? nextOther(playlist)
            next = number + 1
            let insertion = try SQLStatement(
                database,
                "INSERT INTO playlist_other (playlist, number, url, tags, server_song) VALUES (?, ?, ?, ?, ?)")
            insertion.bind(1, playlist)
            insertion.bind(2, number)
            switch content {
            case .stream(let url, let tags):
                insertion.bind(3, url)
                insertion.bind(4, TagPairs.encode(tags))
            case .awaited(let serverSong): insertion.bind(5, serverSong)
            case .song: break
            }
            try insertion.run()
            return Self.otherBit | UInt32(truncatingIfNeeded: number)
        }
    }

    private func nextOther(_ playlist: Int64) throws -> Int64 {
        let row = try SQLStatement(
            database,
            "SELECT ifnull(max(number), -1) + 1 FROM playlist_other WHERE playlist = ? AND number < \(Self.otherBit) - 1"
        )
        row.bind(1, playlist)
        return try row.first { row.int(0) } ?? 0
    }

    private func append(_ playlist: Int64, codes: [UInt32]) throws {
        if codes.isEmpty { return }
        let last = try statement(
            "SELECT id, entries FROM playlist_part WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1", playlist)
        let found = try last.first { (id: last.int(0), codes: Self.decode(last.bytes(1))) }
        var id = (found?.id ?? Self.ids(playlist).lowerBound - 1) + 1
        var rest = codes[...]
        let insertion = try SQLStatement(
            database, "INSERT OR REPLACE INTO playlist_part (id, entries) VALUES (?, ?)")
        func write(_ id: Int64, _ codes: [UInt32]) throws {
            insertion.bind(1, id)
            insertion.bind(2, Self.encode(codes))
            try insertion.run()
        }
        if let found, found.codes.count < Self.capacity {
            let added = rest.prefix(Self.capacity - found.codes.count)
            try write(found.id, found.codes + added)
            rest = rest.dropFirst(added.count)
        }
        while !rest.isEmpty {
            try write(id, Array(rest.prefix(Self.capacity)))
            rest = rest.dropFirst(Self.capacity)
            id += 1
        }
    }

    private static func encode(_ codes: [UInt32]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(codes.count * 4)
        for code in codes { withUnsafeBytes(of: code.littleEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    private static func decode(_ bytes: UnsafeRawBufferPointer) -> [UInt32] {
        (0..<bytes.count / 4).map {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self))
        }
    }
}
