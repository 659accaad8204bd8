import AsyncHTTPClient
import MusicModel
import NIOCore
import NIOHTTP1

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
    /// The name for sorting as a tagger wrote it, and the UUID of the artist at MusicBrainz.
    package var sortName, musicBrainzID: String?
}

/// A play that Navidrome counted.
package struct NavidromePlay: Hashable, Sendable {
    let songID: String
    let time: Int64

    /// Takes the server's id of what was played, and when it began, in Unix seconds.
    package init(songID: String, time: Int64) { (self.songID, self.time) = (songID, time) }
}

/// Lists of Navidrome's own API, of which `count` items from `start` on are listed at most.
///
/// Every call throws `SubsonicError`, or `CancellationError`.
extension NavidromeSession {
    /// Far more than a page of songs has; Navidrome cuts the lyrics of each at a megabyte.
    private static let maxListSize = 24 << 20
    /// How many ids fit an address that every proxy takes.
    private static let maxIDs = 50

    /// Lists albums, those first that a scan touched last.
    package func touchedAlbums(from start: Int, count: Int) async throws -> SubsonicPage<NavidromeAlbum> {
        try await list("album?_sort=imported_at&_order=DESC", from: start, count: count) { try NavidromeAlbum(&$0) }
    }

    /// Lists the server's artists in an order that stays.
    package func allArtists(from start: Int, count: Int) async throws -> SubsonicPage<NavidromeArtist> {
        try await list("artist?_sort=id&_order=ASC", from: start, count: count) { try NavidromeArtist(&$0) }
    }

    /// Lists the artists with these ids, if there are any.
    package func artists(_ ids: [String]) async throws -> [NavidromeArtist] {
        let ids = ids.filter(Self.isPlain)
        var found: [NavidromeArtist] = []
        for start in stride(from: 0, to: ids.count, by: Self.maxIDs) {
            let some = ids[start..<min(start + Self.maxIDs, ids.count)]
            let query = some.map { "id=\($0)" }.joined(separator: "&")
            found += try await list("artist?\(query)", from: 0, count: some.count) { try NavidromeArtist(&$0) }.items
        }
        return found
    }

    /// Lists the plays that the server counted in a time, in Unix seconds, as newer versions keep them one by one;
    /// `unsupported` is thrown where the server keeps no such list.
    package func plays(_ time: ClosedRange<Int64>, count: Int) async throws -> SubsonicPage<NavidromePlay> {
        let query = "from=\(time.lowerBound)&to=\(time.upperBound)&_sort=submission_time&_order=ASC"
        return try await list("scrobble?\(query)", from: 0, count: count) { try NavidromePlay(&$0) }
    }

    /// Lists the server's songs, the longest first, with their texts.
    package func longestSongs(from start: Int, count: Int) async throws -> SubsonicPage<NavidromeSong> {
        try await list("song?_sort=duration&_order=DESC", from: start, count: count) { try NavidromeSong(&$0) }
    }

    /// Lists the server's songs in an order that stays, those whose files are gone among them, without their texts.
    package func allSongs(from start: Int, count: Int) async throws -> SubsonicPage<NavidromeSong> {
        try await list("song?_sort=id&_order=ASC", from: start, count: count) {
            try NavidromeSong(&$0, withTexts: false)
        }
    }

    /// Lists the songs of an album, those whose files are gone among them, with their texts.
    package func songs(ofAlbum id: String, count: Int) async throws -> SubsonicPage<NavidromeSong> {
        guard Self.isPlain(id) else { throw SubsonicError(.unsupported, "An album's id is not one of Navidrome's.") }
        return try await list("song?album_id=\(id)&_sort=id&_order=ASC", from: 0, count: count) {
            try NavidromeSong(&$0)
        }
    }

    /// How many songs the user sees; nil where the server doesn't tell.
    package func songCount() async throws -> Int? {
        let response = try await open("/api/song?missing=false&_start=0&_end=1", accept: "application/json")
        do { _ = try await response.body.gathered(upTo: Self.maxListSize) } catch {
            throw transport.failure(from: error)
        }
        return response.headers.first(name: "X-Total-Count").flatMap { Int($0) }
    }

    /// True if an id looks like one of Navidrome's: those of other servers may hold anything.
    static func isPlain(_ id: String) -> Bool {
        !id.isEmpty
            && id.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }

    private func list<Item: Hashable & Sendable>(
        _ query: String, from start: Int, count: Int, _ item: (inout JSONReader) throws -> Item?
    ) async throws -> SubsonicPage<Item> {
        let path = "/api/\(query)&_start=\(start)&_end=\(start.addingClamped(count))"
        return try await read(path, isCompressible: true, upTo: Self.maxListSize) { bytes in
            try SubsonicPage(list: bytes, atMost: count, item)
        }
    }

    /// Asks for something and reads it.
    func read<Answer>(
        _ path: String, isCompressible: Bool = false, upTo limit: Int,
        _ read: (UnsafeRawBufferPointer) throws -> Answer
    ) async throws -> Answer {
        let response = try await open(path, accept: "application/json", isCompressible: isCompressible)
        do {
            return try await response.body.gathered(upTo: limit).withUnsafeReadableBytes { try read($0) }
        } catch let problem as JSONProblem {
            throw SubsonicError(
                .badAnswer, "\(transport.shownAddress) answers in an unknown format.", cause: problem)
        } catch { throw transport.failure(from: error) }
    }
}

extension SubsonicPage {
    /// Reads a list, of which no more than `count` items are taken.
    init(
        list bytes: UnsafeRawBufferPointer, atMost count: Int, _ read: (inout JSONReader) throws -> Item?
    ) throws {
        self.init(items: [])
        var reader = JSONReader(bytes)
        try reader.collect(into: &self, atMost: count, read)
        try reader.end()
    }
}

// MARK: Reading
// Source: Navidrome 0.63 model/album.go and model/artist.go; model/scrobble.go of the version after it.

extension NavidromeAlbum: JSONReadable {
    init?(_ reader: inout JSONReader) throws {
        self.init(id: "")
        try reader.members { reader, name in
            switch name {
            case "id": id = try reader.text() ?? ""
            case "importedAt": touched = try reader.text().flatMap(TimeText.milliseconds)
            default: try reader.skip()
            }
        }
        if id.isEmpty { return nil }
    }
}

extension NavidromeArtist: JSONReadable {
    init?(_ reader: inout JSONReader) throws {
        self.init(id: "")
        try reader.members { reader, name in
            switch name {
            case "id": id = try reader.text() ?? ""
            case "name": self.name = try reader.text() ?? ""
            case "sortArtistName": sortName = try reader.tag()
            case "mbzArtistId": musicBrainzID = try reader.tag()
            default: try reader.skip()
            }
        }
        if id.isEmpty { return nil }
    }
}

extension NavidromePlay: JSONReadable {
    init?(_ reader: inout JSONReader) throws {
        var (id, time): (String, Int64?) = ("", nil)
        try reader.members { reader, name in
            switch name {
            case "mediaFileId": id = try reader.text() ?? ""
            case "submissionTime": time = try reader.integer()
            default: try reader.skip()
            }
        }
        guard !id.isEmpty, let time else { return nil }
        self.init(songID: id, time: time)
    }
}
