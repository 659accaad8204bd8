import Foundation
import GRDB
import LibraryIndex
import LibrarySamples
import MusicModel
import Testing

@testable import UserLibrary

@Suite("Damaged databases")
struct RescueTests {
    /// A closed database with a queue, a playlist and stickers of 400 songs.
    private func filled() async throws -> (folder: URL, path: String) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rescue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("segue.db").path
        let library = try Library(path: path)
        _ = try await library.index.apply(LibraryChanges(mount: "", upserts: (0..<400).map { song("song \($0)") }))
        let ids = try await library.index.songs((1...400).map { SongID(rawValue: $0) }).compactMap { $0?.id }
        let entries = ids.enumerated().map { place, id in
            SavedQueue.Entry(
                id: QueueEntryID(rawValue: UInt32(place + 1)), item: .song(id), priority: 0, range: nil)
        }
        try await library.saveQueue(SavedQueue(entries: entries, version: 7))
        try await library.saveStoredPlaylist("Kept", ids.map { .song($0) }, mode: .create)
        for id in ids { _ = try await library.setSticker("note", of: .song(id), to: String(repeating: "x", count: 40)) }
        // A log that is left would have the damaged pages once more.
        try library.close()
        return (folder, path)
    }

    private func overwrite(_ path: String, _ range: Range<Int>) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: UInt64(range.lowerBound))
        try file.write(contentsOf: Data(range.map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 41) }))
        try file.close()
    }

    private func reopen(_ path: String) throws -> (library: Library, rescue: LibraryRescue) {
        let library = try Library(path: path, rescuesDamage: true)
        return (library, try #require(library.rescue))
    }

    @Test("A sound database is opened as it is")
    func sound() async throws {
        let (folder, path) = try await filled()
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = try Library(path: path, rescuesDamage: true)
        #expect(library.rescue == nil)
        #expect(try library.savedQueue().entries.count == 400)
        try library.close()
    }

    @Test("Behind an overwritten header everything is rescued, and songs keep their numbers")
    func header() async throws {
        let (folder, path) = try await filled()
        defer { try? FileManager.default.removeItem(at: folder) }
        try overwrite(path, 0..<100)
        let (library, rescue) = try reopen(path)
        #expect(FileManager.default.fileExists(atPath: rescue.keptAs))
        #expect(rescue.keptAs.hasPrefix(path + ".damaged-"))
        #expect(rescue.rescued["entries of queues"] == 400)
        #expect(rescue.rescued["stickers"] == 400)
        let queue = try library.savedQueue()
        #expect(queue.entries.count == 400)
        _ = try await library.index.apply(
            LibraryChanges(mount: "", upserts: (0..<400).reversed().map { song("song \($0)") }))
        #expect(try await library.storedPlaylist("Kept").count == 400)
        guard case .song(let first)? = queue.entries.first?.item else { return }
        #expect(try await library.index.songs([first])[0]?.uri == "song 0")
        try library.close()
    }

    @Test("Of a file with a damaged middle the rest is rescued")
    func middle() async throws {
        let (folder, path) = try await filled()
        defer { try? FileManager.default.removeItem(at: folder) }
        // The pages of the stickers' table.
        let pages = try await DatabaseQueue(path: path).read {
            try Int.fetchAll($0, sql: "SELECT pageno FROM dbstat WHERE name = 'song_sticker' AND pagetype = 'leaf'")
        }
        let page = try #require(pages.dropFirst(pages.count / 2).first)
        try overwrite(path, (page - 1) * 4096..<page * 4096)
        let (library, rescue) = try reopen(path)
        let stickers = try #require(rescue.rescued["stickers"])
        #expect(stickers > 200 && stickers < 400)
        #expect(rescue.rescued["entries of queues"] == 400)
        // The log says that some are missing, and why.
        #expect(rescue.description.contains("not all of stickers (SQLite error 11"))
        try library.close()
    }

    @Test("A full disk is told with the folder, and with the system's reason beneath")
    func fullDisk() async throws {
        let (folder, path) = try await filled()
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = try Library(path: path)
        // No page more than there are.
        try await library.database.write { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        let error = await #expect(throws: LibraryError.self) {
            for number in 0..<10_000 {
                _ = try await library.setSticker(
                    "more", of: .playlist("Kept"), to: String(repeating: "\(number)", count: 2000))
            }
        }
        let line = "\(chain: try #require(error))"
        #expect(line.contains("The disk with the state directory \(folder.path) is full"))
        #expect(line.contains("[LibraryIndex/LibraryDatabase.swift:"))
        #expect(line.contains(" <- SQLite error 13: database or disk is full"))
        try library.close()
    }

    @Test("A truncated file is replaced, and what is left of it is rescued")
    func truncated() async throws {
        let (folder, path) = try await filled()
        defer { try? FileManager.default.removeItem(at: folder) }
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        truncate(path, off_t(size / 2))
        let (library, rescue) = try reopen(path)
        #expect(FileManager.default.fileExists(atPath: rescue.keptAs))
        try await library.saveQueue(SavedQueue())
        try library.close()
    }

    @Test("An empty file is said to be damaged, and not taken for a new database")
    func emptied() async throws {
        let (folder, path) = try await filled()
        defer { try? FileManager.default.removeItem(at: folder) }
        truncate(path, 0)
        let (library, rescue) = try reopen(path)
        #expect(rescue.damage.contains("empty"))
        try library.close()
    }

    @Test("A damaged log costs no more than its own transactions")
    func log() async throws {
        let (folder, path) = try await filled()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(filePath: path + "-wal"))
        let library = try Library(path: path, rescuesDamage: true)
        #expect(try library.savedQueue().entries.count == 400)
        try library.close()
    }

    @Test("A file that is no database at all is kept aside")
    func noDatabase() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rescue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("segue.db").path
        try Data(String(repeating: "not a database ", count: 1000).utf8).write(to: URL(filePath: path))
        let (library, rescue) = try reopen(path)
        #expect(try Data(contentsOf: URL(filePath: rescue.keptAs)).starts(with: Data("not a database".utf8)))
        try library.close()
    }

    @Test("Other users can't read the database and its log")
    func modes() async throws {
        let (folder, path) = try await filled()
        defer { try? FileManager.default.removeItem(at: folder) }
        chmod(path, 0o644)
        let library = try Library(path: path)
        try await library.saveQueue(SavedQueue())
        for suffix in ["", "-wal", "-shm"] {
            let mode = try FileManager.default.attributesOfItem(atPath: path + suffix)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(suffix)")
        }
        try library.close()
    }
}
