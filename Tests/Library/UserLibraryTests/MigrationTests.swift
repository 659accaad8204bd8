import Foundation
import GRDB
import LibraryIndex
import LibrarySamples
import MusicModel
import Testing

@testable import UserLibrary

@Suite("Databases of other versions")
struct MigrationTests {
    private func withPath(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "migration-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appending(path: "segue.db").path)
    }

    private func open(_ path: String) throws -> Library { try Library(path: path) }

    private func change(_ path: String, _ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test("A database of the oldest version that is read opens with what it had")
    func oldest() async throws {
        try await withPath { path in
            let new = try open(path)
            _ = try await new.index.apply(LibraryChanges(mount: "", upserts: [song("a.flac"), song("b.flac")]))
            let ids = try await new.index.songIDs(at: ["a.flac", "b.flac"]).compactMap(\.self)
            let entries: [QueueItem] = [.song(ids[0]), .stream(url: "http://a/b", tags: []), .song(ids[1])]
            try await new.saveStoredPlaylist("Old", entries, mode: .create)
            try await new.setSticker("note", of: .song(ids[0]), to: "x")
            try new.close()
            // What later versions brought, and how programs before them listed theirs.
            try change(
                path,
                """
                DROP TABLE gone_song;
                CREATE TABLE playlist_part (id INTEGER PRIMARY KEY, entries BLOB NOT NULL);
                INSERT INTO playlist_part SELECT playlist << 24, substr(entries, 1, 8) FROM playlist_entries;
                INSERT INTO playlist_part SELECT (playlist << 24) + 1, substr(entries, 9) FROM playlist_entries;
                DROP TABLE playlist_entries;
                DELETE FROM grdb_migrations WHERE identifier > '20';
                INSERT INTO grdb_migrations VALUES ('1'), ('19');
                PRAGMA user_version = 20;
                """)
            for _ in 1...2 {
                let library = try open(path)
                #expect(try await library.storedPlaylist("Old") == entries)
                #expect(try await library.stickers(of: .song(ids[0])).map(\.name) == ["note"])
                _ = try await library.index.apply(LibraryChanges(mount: "", upserts: [song("a.flac")]))
                let version = try await library.read { try $0.integer("PRAGMA user_version") }
                #expect(version == Int64(SchemaVersion.newest))
                try library.close()
            }
        }
    }

    @Test(
        "A database of an older version, or of a newer one, is refused with a way out and left as it is",
        arguments: [
            (1, "move segue.db* away"), (SchemaVersion.oldest - 1, "that version's segue export"),
            (SchemaVersion.newest + 1, "update Segue"),
        ])
    func refused(version: Int, cure: String) async throws {
        try await withPath { path in
            try open(path).close()
            try change(path, "PRAGMA user_version = \(version)")
            #expect {
                try open(path).close()
            } throws: { error in
                guard let error = error as? LibraryError else { return false }
                let message = error.message.replacing(path, with: "segue.db")
                return error.code == .otherVersion && message.contains("segue.db") && message.contains(cure)
            }
            let found = try await DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
            #expect(found == version)
        }
    }
}
