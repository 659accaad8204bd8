import Foundation
import GRDB
import LibraryIndex
import LibrarySamples
import MusicModel

/// An index in a directory of its own, which goes with it.
final class TestIndex: Sendable {
    let folder: URL
    let index: MusicIndex

    var path: String { folder.appendingPathComponent("segue.db").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("index-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        index = try MusicIndex(path: folder.appendingPathComponent("segue.db").path)
    }

    deinit {
        try? index.database.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// An index that has these songs.
    convenience init(_ songs: [IndexedSong]) async throws {
        try self.init()
        _ = try await index.apply(LibraryChanges(mount: songs.first?.mount ?? "", upserts: songs))
    }

    /// Looks at the tables themselves.
    func inspect<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try DatabaseQueue(path: path).read(body)
    }

    /// The URIs that a query finds.
    func uris(_ filter: SongFilter, sort: SongSort? = nil, window: Range<Int>? = nil) async throws -> [String] {
        try await index.uris(filter, sort: sort, window: window)
    }

    /// The song numbers by URI.
    func numbers() async throws -> [String: SongID] { try await index.numbers() }
}

extension MusicIndex {
    /// Opens a database that has nothing but the index.
    convenience init(path: String) throws {
        self.init(try LibraryDatabase(path: path, parts: [.index]))
    }
}
