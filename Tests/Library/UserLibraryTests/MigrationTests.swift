import Foundation
import GRDB
import LibraryIndex
import LibrarySamples
import MusicModel
import Testing

@testable import UserLibrary

@Suite("Databases of earlier versions")
struct MigrationTests {
    private func withPath(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "migration-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appending(path: "segue.db").path)
    }

    /// Makes a database as programs made it before the migrator kept its list.
    private func make(_ path: String, version: Int, _ body: (Database) throws -> Void) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            for version in 1...version {
                for part in [SchemaPart.index, .user] { try part.steps[version]?(database) }
            }
            try database.execute(sql: "PRAGMA user_version = \(version)")
            try body(database)
        }
        try queue.close()
    }

    private func migrations(_ path: String) throws -> [String] {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { database in
            #expect(try Int.fetchOne(database, sql: "PRAGMA user_version") == SchemaPart.newest)
            return try String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
        }
    }

    @Test("A database of any version without the migrator's list opens with what it had", arguments: 1...9)
    func adopted(version: Int) async throws {
        try await withPath { path in
            try make(path, version: version) { database in
                try database.execute(sql: "INSERT INTO playlist (id, name, modified) VALUES (1, 'Old', 5)")
                try database.execute(sql: "INSERT INTO play (song, started) VALUES (7, 8)")
                if version < 9 {
                    try database.execute(
                        sql: "INSERT INTO playlist_item (playlist, position, url) VALUES (1, 10, 'http://a/b')")
                }
            }
            for _ in 1...2 {
                let library = try Library(path: path, renderer: PlainRenderer())
                #expect(try await library.storedPlaylists().map(\.name) == ["Old"])
                let items = try await library.storedPlaylist("Old")
                #expect(items == (version < 9 ? [.stream(url: "http://a/b", tags: [])] : []))
                #expect(try await library.read { try $0.integer("SELECT count(*) FROM play") } == 1)
                try library.close()
                #expect(try migrations(path) == (1...SchemaPart.newest).map(String.init))
            }
        }
    }

    @Test("A song that was gone keeps its number, and comes back hidden, in a database that knew no hidden ones")
    func hiddenSongs() async throws {
        try await withPath { path in
            try make(path, version: 9) { database in
                try database.execute(
                    sql: """
                        INSERT INTO song (id, mount, source_id, source_kind, wanted, suffix, starred, rating, hash, tags)
                        VALUES (5, '', 'disc.flac', 1, 'disc.flac', 'flac', 0, 0, 1, x'')
                        """)
            }
            let library = try Library(path: path, renderer: PlainRenderer())
            var disc = song("disc.flac", hash: 2, (.title, "Whole"))
            disc.isHidden = true
            _ = try await library.index.apply(LibraryChanges(mount: "", upserts: [disc]))
            let found = try #require(try await library.index.song(at: "disc.flac"))
            #expect(found.id == SongID(rawValue: 5) && found.first(.title) == "Whole")
            #expect(try await library.index.statistics().songs == 0)
            try library.close()
        }
    }

    @Test("Tracks of cue sheets are written again in a database that did not know their whole songs, and no other song")
    func tracks() async throws {
        try await withPath { path in
            try make(path, version: 9) { database in
                let rows: [(id: String, kind: Int, value: String?)] = [
                    ("a/disc.flac", 1, "/music/a/disc.flac"), ("a/disc.cue/track0001", 2, "0 5 /music/a/disc.flac"),
                    ("a/disc.cue/track0002", 1, "/music/a/bonus.flac"), ("s1", 0, nil), ("s1/track0001", 3, "0 5 s1"),
                ]
                for (place, row) in rows.enumerated() {
                    try database.execute(
                        sql: """
                            INSERT INTO song (id, mount, source_id, source_kind, source_value, uri, suffix, starred,
                                rating, hash, tags)
                            VALUES (?, '', ?, ?, ?, ?, 'flac', 0, 0, 7, x'')
                            """, arguments: [place + 1, row.id, row.kind, row.value, "uri\(place)"])
                }
            }
            let library = try Library(path: path, renderer: PlainRenderer())
            let known = try await library.index.knownSongs(mount: "")
            #expect(known.filter { $0.value.hash == 7 }.keys.sorted() == ["a/disc.flac", "s1"])
            try library.close()
        }
    }

    @Test("A database with a migration of a newer program is refused and left as it is")
    func newer() async throws {
        try await withPath { path in
            try Library(path: path, renderer: PlainRenderer()).close()
            let queue = try DatabaseQueue(path: path)
            let newer = SchemaPart.newest + 1
            try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('\(newer)')") }
            #expect {
                try Library(path: path, renderer: PlainRenderer()).close()
            } throws: { error in
                guard let error = error as? LibraryError else { return false }
                return error.code == .newerVersion && error.message.contains(path)
            }
            let count = try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM grdb_migrations") }
            #expect(count == newer)
        }
    }
}
