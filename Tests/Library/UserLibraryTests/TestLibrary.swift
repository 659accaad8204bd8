import Foundation
import GRDB
import LibraryIndex
import LibrarySamples
import MusicModel
import UserLibrary

/// A library in a directory of its own, which goes with it.
final class TestLibrary: Sendable {
    let folder: URL
    let library: Library

    var path: String { folder.appendingPathComponent("segue.db").path }

    init(playlistLimit: Int = 1_000_000) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        library = try Library(
            path: folder.appendingPathComponent("segue.db").path, playlistLimit: playlistLimit)
    }

    deinit {
        try? library.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A library that has these songs.
    convenience init(_ songs: [IndexedSong]) async throws {
        try self.init()
        _ = try await library.index.apply(LibraryChanges(mount: songs.first?.mount ?? "", upserts: songs))
    }

    /// Looks at the tables themselves.
    func inspect<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try DatabaseQueue(path: path).read(body)
    }

    /// The URIs that a query finds.
    func uris(_ filter: SongFilter, sort: SongSort? = nil, window: Range<Int>? = nil) async throws -> [String] {
        try await library.index.uris(filter, sort: sort, window: window)
    }

    /// The song numbers by URI.
    func numbers() async throws -> [String: SongID] { try await library.index.numbers() }
}
