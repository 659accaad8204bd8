import GRDB
import LibraryIndex
import MusicModel

/// The entries of stored playlists, inside a transaction: a list of codes in one row for each, which are songs'
/// numbers, or have the highest bit set for the few that are something else.
struct StoredEntries {
    enum Content: Hashable {
        /// A song by its number in the index, whether it is there at the moment or not.
        case song(Int64)
        case stream(url: String, tags: [TagValue])
        /// A song of the server, by its id there, that the index does not have yet.
        case awaited(serverSong: String)
    }

    struct List {
        var codes: [UInt32] = []
        var others: [UInt32: Content] = [:]

        func content(_ code: UInt32) -> Content {
            code & StoredEntries.otherBit == 0 ? .song(Int64(code)) : others[code] ?? .awaited(serverSong: "")
        }

        func visible(_ isVisible: (UInt32) throws -> Bool) rethrows -> [UInt32] {
            try codes.filter { code in
                if code & StoredEntries.otherBit == 0 { return try isVisible(code) }
                if case .stream = others[code] { return true }
                return false
            }
        }

        func item(_ code: UInt32) -> QueueItem {
            if case .stream(let url, let tags) = content(code) { return .stream(url: url, tags: tags) }
            return .song(SongID(rawValue: Int64(code)))
        }
    }

    /// Set in codes that are a number in `playlist_other`; no song's number is as high.
    static let otherBit: UInt32 = 1 << 31

    private let database: Database
    init(_ database: Database) { self.database = database }

    func count(_ playlist: Int64) throws -> Int {
        Int(try database.integer("SELECT length(entries) / 4 FROM playlist_entries WHERE playlist = ?", playlist))
    }

    func list(_ playlist: Int64) throws -> List {
        var list = List(codes: try codes(playlist))
        if list.codes.contains(where: { $0 & Self.otherBit != 0 }) { list.others = try others(playlist) }
        return list
    }

    private func codes(_ playlist: Int64) throws -> [UInt32] {
        try database.first(
            "SELECT entries FROM playlist_entries WHERE playlist = ?", playlist
        ) { [UInt32](littleEndian: $0.bytes(0)) } ?? []
    }

    private func others(_ playlist: Int64) throws -> [UInt32: Content] {
        var others: [UInt32: Content] = [:]
        try database.forEach(
            "SELECT number, url, tags, server_song FROM playlist_other WHERE playlist = ?", playlist
        ) { row in
            others[Self.otherBit | UInt32(truncatingIfNeeded: row.int(0))] =
                if let url = row.optionalText(1) {
                    .stream(url: url, tags: TagPairs.decode(row.bytes(2)))
                } else {
                    .awaited(serverSong: row.text(3))
                }
        }
        return others
    }

    /// Entries that wait for a song that the index has by now: the playlist, the entry's code, and the song.
    func found() throws -> [(playlist: Int64, code: UInt32, song: Int64)] {
        try database.rows(
            """
            SELECT o.playlist, o.number, (SELECT id FROM song WHERE source_id = o.server_song AND source_kind = 0) AS song
            FROM playlist_other o WHERE o.server_song IS NOT NULL AND song IS NOT NULL ORDER BY o.playlist
            """
        ) { ($0.int(0), Self.otherBit | UInt32(truncatingIfNeeded: $0.int(1)), $0.int(2)) }
    }

    func append(_ playlist: Int64, _ contents: [Content]) throws {
        if contents.isEmpty { return }
        try write(playlist, codes(playlist) + newCodes(playlist, contents))
    }

    func removeAll(_ playlist: Int64) throws {
        for table in ["playlist_entries", "playlist_other"] {
            try database.run("DELETE FROM \(table) WHERE playlist = ?", playlist)
        }
    }

    func resolve(_ playlist: Int64, _ songs: [UInt32: Int64]) throws {
        try write(playlist, codes(playlist).map { code in songs[code].map { Self.code(ofSong: $0) } ?? code })
        let deletion = try SQLStatement(database, "DELETE FROM playlist_other WHERE playlist = ? AND number = ?")
        for code in songs.keys { try deletion.run(playlist, Int64(code & ~Self.otherBit)) }
    }

    private func write(_ playlist: Int64, _ codes: [UInt32]) throws {
        try database.run(
            "INSERT OR REPLACE INTO playlist_entries (playlist, entries) VALUES (?, ?)", playlist,
            codes.littleEndianBytes)
    }

    private static func code(ofSong id: Int64) -> UInt32 { UInt32(truncatingIfNeeded: id) & ~otherBit }

    private func newCodes(_ playlist: Int64, _ contents: [Content]) throws -> [UInt32] {
        var next: Int64?
        return try contents.map { content in
            if case .song(let id) = content { return Self.code(ofSong: id) }
            let number = try next ?? nextOther(playlist)
            next = number + 1
            let (url, tags, serverSong): (String?, [UInt8]?, String?) =
                switch content {
                case .song: (nil, nil, nil)
                case .stream(let url, let tags): (url, TagPairs.encode(tags), nil)
                case .awaited(let serverSong): (nil, nil, serverSong)
                }
            try database.run(
                "INSERT INTO playlist_other (playlist, number, url, tags, server_song) VALUES (?, ?, ?, ?, ?)",
                playlist, number, url, tags, serverSong)
            return Self.otherBit | UInt32(truncatingIfNeeded: number)
        }
    }

    private func nextOther(_ playlist: Int64) throws -> Int64 {
        try database.integer(
            "SELECT ifnull(max(number), -1) + 1 FROM playlist_other WHERE playlist = ? AND number < \(Self.otherBit) - 1",
            playlist)
    }
}

extension [UInt32] {
    init(littleEndian bytes: UnsafeRawBufferPointer) {
        self = (0..<bytes.count / 4).map {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self))
        }
    }

    var littleEndianBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 4)
        for number in self { Swift.withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }
}
