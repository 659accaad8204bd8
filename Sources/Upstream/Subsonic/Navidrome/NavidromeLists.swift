import AsyncHTTPClient
import MusicModel
import NIOCore

/// An album as Navidrome's own API lists it.
package struct NavidromeAlbum: Hashable, Sendable {
    /// The id, which is the Subsonic API's, too.
    package var id: String
    /// When a scan touched it last, because a song of it came, changed or went, in Unix milliseconds; nil from before
    /// Navidrome kept that.
    package var touched: Int64?
}

/// An artist as Navidrome's own API lists it.
package struct NavidromeArtist: Hashable, Sendable {
    /// The id, which is the Subsonic API's, too.
    package var id: String
    /// As it is shown.
    package var name = ""
    /// As a tagger wrote it.
    package var sortName: String?
    /// The UUID of the artist at MusicBrainz.
    package var musicBrainzID: String?
}

/// A play that Navidrome counted.
package struct NavidromePlay: Hashable, Sendable {
    /// The server's id of what was played.
    package var songID: String
    /// When it began, in Unix seconds.
    package var time: Int64

    /// Makes a play.
    package init(songID: String, time: Int64) { (self.songID, self.time) = (songID, time) }
}

/// Lists of Navidrome's own API.
extension NavidromeSession {
    /// Far more than a page of songs has; Navidrome cuts the lyrics of each at a megabyte.
    private static let maxListSize = 24 << 20
    /// How many ids fit an address that every proxy takes.
    private static let maxIDs = 50

    /// Lists albums, those first that a scan touched last.
    ///
    /// - Parameters:
    ///   - start: how many are passed by.
    ///   - count: how many are listed at most.
    /// - Throws: `SubsonicError`, or `CancellationError`.
    package func touchedAlbums(from start: Int, count: Int) async throws -> SubsonicPage<NavidromeAlbum> {
        try await list(
            "/api/album?_sort=imported_at&_order=DESC&_start=\(start)&_end=\(start.addingClamped(count))", atMost: count
        ) { (reader) throws(JSONProblem) in
            try NavidromeAlbum(&reader)
        }
    }

    /// Lists the server's artists in an order that stays.
    package func allArtists(from start: Int, count: Int) async throws -> SubsonicPage<NavidromeArtist> {
        try await list(
            "/api/artist?_sort=id&_order=ASC&_start=\(start)&_end=\(start.addingClamped(count))", atMost: count
        ) { (reader) throws(JSONProblem) in
            try NavidromeArtist(&reader)
        }
    }

    /// Lists the artists with these ids, if there are any.
    package func artists(_ ids: [String]) async throws -> [NavidromeArtist] {
        let ids = ids.filter(Self.isPlain)
        var found: [NavidromeArtist] = []
        for start in stride(from: 0, to: ids.count, by: Self.maxIDs) {
            let some = ids[start..<min(start + Self.maxIDs, ids.count)]
            let query = some.map { "id=\($0)" }.joined(separator: "&")
            found += try await list(
                "/api/artist?\(query)&_start=0&_end=\(some.count)", atMost: some.count
            ) { (reader) throws(JSONProblem) in
                try NavidromeArtist(&reader)
            }.items
        }
        return found
    }

    /// Lists the plays that the server counted in a time, in Unix seconds, as newer versions keep them one by one.
    ///
    /// - Throws: `SubsonicError`, `unsupported` where the server keeps no such list; or `CancellationError`.
    package func plays(_ time: ClosedRange<Int64>, count: Int) async throws -> SubsonicPage<NavidromePlay> {
        let (from, to) = (time.lowerBound, time.upperBound)
        return try await list(
            "/api/scrobble?from=\(from)&to=\(to)&_sort=submission_time&_order=ASC&_start=0&_end=\(count)",
            atMost: count
        ) { (reader) throws(JSONProblem) in
            try NavidromePlay(&reader)
        }
    }

    /// True if an id looks like one of Navidrome's: those of other servers may hold anything.
    static func isPlain(_ id: String) -> Bool {
        !id.isEmpty
            && id.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }

    /// Asks for a list and reads it.
    @concurrent
    func list<Item: Hashable & Sendable>(
        _ path: String, atMost count: Int, _ read: @Sendable (inout JSONReader) throws(JSONProblem) -> Item?
    ) async throws -> SubsonicPage<Item> {
        let response = try await open(path, accept: "application/json", isCompressible: true)
        let body: ByteBuffer
        do {
            body = try await response.body.gathered(upTo: Self.maxListSize)
        } catch { throw transport.failure(from: error) }
        do {
            return try body.withUnsafeReadableBytes { bytes throws(JSONProblem) in
                try SubsonicPage(list: bytes, atMost: count, read)
            }
        } catch {
            throw SubsonicError(
                .badAnswer, "\(transport.shownAddress) sends a list in an unknown format.", cause: error)
        }
    }
}

extension SubsonicPage {
    /// Reads a list, of which no more than `count` items are taken.
    init(
        list bytes: UnsafeRawBufferPointer, atMost count: Int,
        _ read: (inout JSONReader) throws(JSONProblem) -> Item?
    ) throws(JSONProblem) {
        self.init(items: [])
        var reader = JSONReader(bytes)
        try reader.collect(into: &self, atMost: count, read)
        try reader.end()
    }
}

/// How they are read.
///
/// - Source: Navidrome 0.63 model/album.go and model/artist.go; model/scrobble.go of the version after it.
extension NavidromeAlbum {
    private enum Member: String, CaseIterable {
        case id, importedAt
    }

    private static let names = MemberNames<Member>()

    /// Reads an album; nil without an id.
    init?(_ reader: inout JSONReader) throws(JSONProblem) {
        self.init(id: "")
        try reader.members { (reader, name) throws(JSONProblem) in
            switch Self.names[name] {
            case .id: id = try reader.text() ?? ""
            case .importedAt: touched = try reader.text().flatMap(TimeText.milliseconds)
            case nil: try reader.skip()
            }
        }
        if id.isEmpty { return nil }
    }
}

extension NavidromeArtist {
    private enum Member: String, CaseIterable {
        case id, name, sortArtistName, mbzArtistId
    }

    private static let names = MemberNames<Member>()

    /// Reads an artist; nil without an id.
    init?(_ reader: inout JSONReader) throws(JSONProblem) {
        self.init(id: "")
        try reader.members { (reader, name) throws(JSONProblem) in
            switch Self.names[name] {
            case .id: id = try reader.text() ?? ""
            case .name: self.name = try reader.text() ?? ""
            case .sortArtistName: sortName = try reader.tag()
            case .mbzArtistId: musicBrainzID = try reader.tag()
            case nil: try reader.skip()
            }
        }
        if id.isEmpty { return nil }
    }
}

extension NavidromePlay {
    private enum Member: String, CaseIterable {
        case mediaFileId, submissionTime
    }

    private static let names = MemberNames<Member>()

    /// Reads a play; nil without a song or a time.
    init?(_ reader: inout JSONReader) throws(JSONProblem) {
        var id = ""
        var time: Int64?
        try reader.members { (reader, name) throws(JSONProblem) in
            switch Self.names[name] {
            case .mediaFileId: id = try reader.text() ?? ""
            case .submissionTime: time = try reader.integer()
            case nil: try reader.skip()
            }
        }
        guard !id.isEmpty, let time else { return nil }
        self.init(songID: id, time: time)
    }
}
