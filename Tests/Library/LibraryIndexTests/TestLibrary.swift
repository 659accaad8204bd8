import Foundation
import GRDB
import LibraryIndex
import MusicModel

/// Writes songs as MPD does, as far as these tests look.
struct PlainRenderer: SongRendering {
    var version = 1

    func render(_ song: Song, mask: TagMask) -> [UInt8] {
        var text = "file: \(song.uri)\n"
        if let modified = song.lastModified {
            text += "Last-Modified: \(Date(timeIntervalSince1970: Double(modified)).ISO8601Format())\n"
        }
        if let format = song.format { text += "Format: \(format.wireText)\n" }
        for tag in song.tags where mask.contains(tag.tag) { text += "\(tag.tag.wireName): \(tag.value)\n" }
        if let duration = song.duration {
            let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
            text += "Time: \(Int(seconds.rounded()))\nduration: \(String(format: "%.3f", seconds))\n"
        }
        return Array(text.utf8)
    }
}

/// A library in a directory of its own, which goes with it.
final class TestLibrary: Sendable {
    let folder: URL
    let library: Library

    var path: String { folder.appendingPathComponent("segue.db").path }

    init(renderer: any SongRendering = PlainRenderer(), playlistLimit: Int = 1_000_000) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        library = try Library(
            path: folder.appendingPathComponent("segue.db").path, renderer: renderer,
            playlistLimit: playlistLimit)
    }

    deinit {
        try? library.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A library that has these songs.
    convenience init(_ songs: [IndexedSong]) async throws {
        try self.init()
        _ = try await library.apply(LibraryChanges(mount: songs.first?.mount ?? "", upserts: songs))
    }

    /// Looks at the tables themselves.
    func inspect<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try DatabaseQueue(path: path).read(body)
    }

    /// The URIs that a query finds.
    func uris(_ filter: SongFilter, sort: SongSort? = nil, window: Range<Int>? = nil) async throws -> [String] {
        let cursor = try await library.find(SongQuery(filter, sort: sort, window: window), mask: .standard)
        return try await cursor.lines().compactMap { $0.value(of: "file") }
    }

    /// The song numbers by URI.
    func numbers() async throws -> [String: SongID] {
        let ids = try await library.queueable(below: "").map(\.id)
        let songs = try await library.songs(ids).compactMap { $0 }
        return Dictionary(uniqueKeysWithValues: zip(songs.map(\.uri), ids))
    }
}

extension AnswerCursor {
    /// The whole answer.
    func text() async throws -> String {
        var bytes: [UInt8] = []
        while let piece = try await next() { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The whole answer by lines.
    func lines() async throws -> [String] { try await text().split(separator: "\n").map(String.init) }
}

extension String {
    /// What follows `key: `; nil on other lines.
    func value(of key: String) -> String? { hasPrefix("\(key): ") ? String(dropFirst(key.count + 2)) : nil }
}

/// A song with few words.
func song(
    _ path: String, id: String? = nil, mount: String = "", duration: Duration? = .seconds(60), modified: Int64? = nil,
    added: Int64? = nil, format: AudioFormat? = nil, hash: UInt64 = 1, cover: String? = nil, _ tags: (Tag, String)...
) -> IndexedSong {
    IndexedSong(
        mount: mount, sourceID: id ?? path, source: .navidrome(id: id ?? path), path: path,
        tags: tags.map { TagValue($0.0, $0.1) }, duration: duration, lastModified: modified, added: added,
        format: format, replayGain: ReplayGain(trackGain: -6.5), suffix: "flac", size: 1000, coverArtID: cover,
        hash: hash)
}

extension SongFilter {
    /// `(TAG OPERATOR 'value')` as `find` has it.
    static func tag(
        _ tag: Tag, _ comparison: StringTest.Operator, _ value: String, folds: Bool = false, not: Bool = false
    ) -> SongFilter {
        .text(.tag(tag), StringTest(comparison, value, foldsCase: folds, isNegated: not))
    }

    /// `any` as `search` has it.
    static func any(_ value: String) -> SongFilter { .text(.any, StringTest(.contains, value, foldsCase: true)) }
}
