import GRDB
import MPDProtocol
import MusicModel

/// Copies the stored text of songs into an answer, from memory where it is there.
final class SongText {
    enum Form: Sendable, Equatable {
        case blocks(TagMask)
        /// The `file` line alone.
        case uris
        /// The name, the size and the time, for `listfiles`.
        case names
    }

    let musicIndex: MusicIndex
    private let database: Database?
    private let memory: BlockMemory?
    private let texts: (texts: TreeTexts, order: WalkOrder)?
    // Prepared when they are needed first, since most answers need one of them or none.
    private var reader: SongReader?
    private var lookups: [String: Lookup] = [:]

    init(_ musicIndex: MusicIndex, _ database: Database) throws {
        (self.musicIndex, self.database) = (musicIndex, database)
        memory = try musicIndex.cache.known(database)?.blocks
        texts = nil
    }

    /// Writes what memory has; its methods throw `NotInMemory` for what it doesn't have.
    init(_ index: MemoryIndex) {
        musicIndex = index.index
        database = nil
        memory = index.parts.blocks
        texts = index.parts.texts.map { ($0, index.order) }
    }

    func connection() throws -> Database {
        guard let database else { throw NotInMemory() }
        return database
    }

    /// Appends songs that aren't gone until `buffer` has grown to `limit`; returns those that are left.
    func append(
        _ songs: ArraySlice<UInt32>, _ form: Form, to buffer: inout [UInt8], until limit: Int
    ) throws -> ArraySlice<UInt32> {
        let method = method(for: form)
        var rest = songs
        while !rest.isEmpty, buffer.count < limit { rest = try appendSome(rest, method, &buffer, limit) { _ in } }
        return rest
    }

    /// Appends a listing until `buffer` has grown to `limit`, and notes how far it came.
    func append(_ listing: inout SongListing, _ mask: TagMask, to buffer: inout [UInt8], until limit: Int) throws {
        let method =
            try listing.showsURIs
            ? methodForURIs(count: listing.rest.count) : self.method(for: .blocks(mask))
        var rest = listing.rest
        var start = buffer.count
        var body = listing.beginSong(&buffer)
        while !rest.isEmpty, start < limit {
            // The number that begins a song counts only with the song: at the limit it would be discarded and begun
            // again without an end.
            rest = try appendSome(rest, method, &buffer, limit + body - start) { buffer in
                if buffer.count == body, let song = listing.lasting {
                    try appendGone(song, listing.showsURIs, mask, &buffer)
                }
                listing.finishSong(from: start, body: body, &buffer)
                start = buffer.count
                body = listing.beginSong(&buffer)
            }
        }
        // The next one was begun, too.
        buffer.removeLast(buffer.count - start)
    }

    private enum Method {
        case names
        case uris
        case remembered(TreeTexts, WalkOrder)
        case copied
        case filtered(BlockFilter)
        case rendered(TagMask)
    }

    private func method(for form: Form) -> Method {
        switch form {
        case .names: .names
        case .uris: texts.map { .remembered($0.texts, $0.order) } ?? .uris
        case .blocks(let mask) where !TagMask.standard.isSuperset(of: mask): .rendered(mask)
        case .blocks(.standard): .copied
        case .blocks(let mask): .filtered(BlockFilter(keeping: mask))
        }
    }

    /// The names of all songs in memory, where they are there already or the answer is long enough to read them for.
    private func methodForURIs(count: Int) throws -> Method {
        if let texts { return .remembered(texts.texts, texts.order) }
        let database = try connection()
        let order = try musicIndex.cache.order(database)
        let texts =
            count < Self.manyURIs
            ? musicIndex.cache.known(order)?.texts : try musicIndex.cache.texts(database, order: order)
        return texts.map { .remembered($0, order) } ?? .uris
    }

    private static let manyURIs = 5000

    /// Appends at least one song and returns those that are left; `ended` may add to the buffer after each.
    private func appendSome(
        _ songs: ArraySlice<UInt32>, _ method: Method, _ buffer: inout [UInt8], _ limit: Int,
        _ ended: (inout [UInt8]) throws -> Void
    ) throws -> ArraySlice<UInt32> {
        switch method {
        case .names:
            try appendName(songs[songs.startIndex], &buffer)
        case .rendered(let mask):
            try appendRendered(songs[songs.startIndex], mask, &buffer)
        case .remembered(let texts, let order):
            var directory = 0
            for position in songs.indices {
                if buffer.count >= limit { return songs[position...] }
                texts.append(song: songs[position], order, near: &directory, to: &buffer)
                try ended(&buffer)
            }
            return []
        case .copied:
            return try appendBlocks(songs, &buffer, limit, ended) { $1.append(contentsOf: $0) }
        case .filtered(let filter):
            return try appendBlocks(songs, &buffer, limit, ended) { filter.append($0, to: &$1) }
        case .uris:
            return try append(songs, from: lookup("uri", in: "song"), &buffer, limit, ended) { _, uri, _, buffer in
                if !uri.isEmpty { buffer.appendFile(uri) }
            }
        }
        try ended(&buffer)
        return songs.dropFirst()
    }

    private struct Lookup {
        let row: SQLStatement
        let rows: SQLStatement

        init(_ database: Database, table: String, column: String) throws {
            row = try SQLStatement(database, "SELECT \(column) FROM \(table) WHERE id = ?")
            rows = try SQLStatement(database, "SELECT id, \(column) FROM \(table) WHERE id BETWEEN ? AND ? ORDER BY id")
        }
    }

    private func lookup(_ column: String, in table: String) throws -> Lookup {
        if let known = lookups[table] { return known }
        let made = try Lookup(connection(), table: table, column: column)
        lookups[table] = made
        return made
    }

    /// `isScanned` says that the row was one of many that are adjacent.
    private typealias Copy = (
        _ song: UInt32, _ value: UnsafeRawBufferPointer, _ isScanned: Bool, _ buffer: inout [UInt8]
    ) -> Void

    /// Those that are remembered, or else some that are not, and are then.
    private func appendBlocks(
        _ songs: ArraySlice<UInt32>, _ buffer: inout [UInt8], _ limit: Int, _ ended: (inout [UInt8]) throws -> Void,
        _ copy: (UnsafeRawBufferPointer, inout [UInt8]) -> Void
    ) throws -> ArraySlice<UInt32> {
        guard let memory else {
            return try append(songs, from: lookup("block", in: "block"), &buffer, limit, ended) { copy($1, &$3) }
        }
        var position = songs.startIndex
        while position < songs.endIndex, buffer.count < limit, let block = memory.block(of: songs[position]) {
            copy(block, &buffer)
            try ended(&buffer)
            position += 1
        }
        if position > songs.startIndex { return songs[position...] }
        return try append(songs, from: lookup("block", in: "block"), &buffer, limit, ended) {
            memory.remember($1, of: $0, isScanned: $2)
            copy($1, &$3)
        }
    }

    private static let maxScan = 256

    /// Passing a row by costs a fraction of looking one up.
    private static let maxGap: UInt32 = 6

    /// Numbers that follow one another closely are read in one scan, which costs half of looking each one up.
    private func append(
        _ songs: ArraySlice<UInt32>, from source: Lookup, _ buffer: inout [UInt8], _ limit: Int,
        _ ended: (inout [UInt8]) throws -> Void, _ copy: Copy
    ) throws -> ArraySlice<UInt32> {
        let start = songs.startIndex
        let last = min(songs.endIndex, start + Self.maxScan)
        var end = start + 1
        // Numbers that go down make the difference large.
        while end < last, songs[end] &- songs[end - 1] &- 1 <= Self.maxGap { end += 1 }
        if end - start < 4 { return try appendOne(songs, from: source, &buffer, ended, copy) }
        let rows = source.rows
        rows.bind(all: Int64(songs[start]), Int64(songs[end - 1]))
        defer { rows.reset() }
        var position = start
        while position < end, buffer.count < limit, try rows.step() {
            let id = UInt32(clamping: rows.int(0))
            while songs[position] < id {
                try ended(&buffer)
                position += 1
            }
            if songs[position] > id { continue }
            copy(id, rows.bytes(1), true, &buffer)
            try ended(&buffer)
            position += 1
        }
        // A full buffer ends the scan early; otherwise the songs that are left have no block any more.
        while position < end, buffer.count < limit {
            try ended(&buffer)
            position += 1
        }
        return songs[position...]
    }

    private func appendOne(
        _ songs: ArraySlice<UInt32>, from source: Lookup, _ buffer: inout [UInt8],
        _ ended: (inout [UInt8]) throws -> Void, _ copy: Copy
    ) throws -> ArraySlice<UInt32> {
        let song = songs[songs.startIndex]
        _ = try source.row.first(Int64(song)) { copy(song, $0.bytes(0), false, &buffer) }
        try ended(&buffer)
        return songs.dropFirst()
    }

    private func appendRendered(_ id: UInt32, _ mask: TagMask, _ buffer: inout [UInt8]) throws {
        let reader = try reader ?? SongReader(connection())
        self.reader = reader
        guard let song = try reader.song(Int64(id)) else { return }
        buffer.append(contentsOf: SongBlock.text(of: song, mask: mask))
    }

    private func appendGone(_ id: UInt32, _ showsURI: Bool, _ mask: TagMask, _ buffer: inout [UInt8]) throws {
        guard let song = try SongReader(connection(), alsoGone: true).songs([Int64(id)])[0] else { return }
        if showsURI {
            var uri = song.uri
            uri.withUTF8 { buffer.appendFile(UnsafeRawBufferPointer($0)) }
        } else {
            buffer.append(contentsOf: SongBlock.text(of: song, mask: mask))
        }
    }

    private func appendName(_ id: UInt32, _ buffer: inout [UInt8]) throws {
        _ = try connection().first(
            "SELECT uri, size, modified FROM song WHERE id = ? AND walk IS NOT NULL", Int64(id)
        ) { row in
            buffer.appendFile(lastPart(of: row.bytes(0)))
            buffer.appendSize(row.int(1))
            if let modified = row.optionalInt(2) { buffer.appendLastModified(modified) }
        }
    }
}
