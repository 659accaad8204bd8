import Foundation
import GRDB
import LibrarySamples
import MusicModel
import TestSupport
import Testing

@testable import LibraryIndex
@testable import UserLibrary

@Suite("The journal of the database")
struct JournalTests {
    /// An open library with stickers of 40 songs, each a transaction.
    private func filled() async throws -> TestLibrary {
        let library = try await TestLibrary((0..<40).map { song("song \($0)") })
        for number in 1...40 {
            _ = try await library.library.setSticker("note", of: .song(SongID(rawValue: Int64(number))), to: "kept")
        }
        return library
    }

    private func copy(_ library: TestLibrary, _ suffixes: [String]) throws -> String {
        let path = library.folder.appending(path: "copy-\(UUID().uuidString).db").path
        for suffix in suffixes {
            try FileManager.default.copyItem(atPath: library.path + suffix, toPath: path + suffix)
        }
        return path
    }

    private func stickers(_ path: String) throws -> Int {
        try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM song_sticker") ?? 0 }
    }

    @Test("is empty after an orderly end: a copy of the database alone has everything")
    func end() async throws {
        let library = try await filled()
        try library.library.close()
        let size = try FileManager.default.attributesOfItem(atPath: library.path + "-wal")[.size] as? Int
        #expect(size ?? 0 == 0)
        #expect(try stickers(copy(library, [""])) == 40)
    }

    @Test("is folded in a minute after a change, while the database is open, and by none that is closed")
    func minute() async throws {
        let (clock, library) = (VirtualClock(), try await filled())
        let path = try copy(library, ["", "-wal"])
        let database = try LibraryDatabase(path: path, parts: [.index, .user], clock: clock)
        try database.writeNow { try $0.execute(sql: "UPDATE song_sticker SET value = 'new'") }
        #expect(
            await eventually {
                clock.pass(.seconds(61))
                return (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int) == 0
            })
        #expect(try stickers(path) == 40)
        try database.writeNow { try $0.execute(sql: "UPDATE song_sticker SET value = 'newer'") }
        try database.close()
        #expect(
            await eventually {
                clock.pass(.seconds(61))
                return clock.sleeperCount == 0
            })
    }

    @Test("that a damaged place cuts short is told and kept; one that was broken off at its end is as it should be")
    func damaged() async throws {
        let library = try await filled()
        let path = try copy(library, ["", "-wal"])
        let whole = try Data(contentsOf: URL(filePath: path + "-wal"))
        #expect(JournalDamage.find(path) == nil)
        // The last transaction, of which a power cut left a part.
        var bytes = whole
        bytes[bytes.count - 100] ^= 1
        try bytes.write(to: URL(filePath: path + "-wal"))
        #expect(JournalDamage.find(path) == nil)
        try whole.dropLast(5000).write(to: URL(filePath: path + "-wal"))
        #expect(JournalDamage.find(path) == nil)
        bytes = whole
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: path + "-wal"))
        let opened = try Library(path: path, rescuesDamage: true)
        let damage = try #require(opened.journalDamage)
        #expect(damage.lost > 5 && damage.keptAs.hasPrefix(path + "-wal.damaged-"))
        #expect(try Data(contentsOf: URL(filePath: damage.keptAs)) == bytes)
        #expect("\(damage)".contains(damage.keptAs))
        try opened.close()
    }

    @Test("of nonsense is none", arguments: [0, 10, 32, 5000])
    func nonsense(count: Int) throws {
        let library = try TestLibrary()
        let path = library.folder.appending(path: "other.db").path
        try Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }).write(to: URL(filePath: path + "-wal"))
        #expect(JournalDamage.find(path) == nil)
    }
}
