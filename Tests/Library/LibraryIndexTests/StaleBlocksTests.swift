import Foundation
import GRDB
import LibraryIndex
import LibrarySamples
import TestSupport
import Testing

@Suite("Blocks that another version rendered")
struct StaleBlocksTests {
    @Test("the log says why blocks can't be rendered anew")
    func unreadable() async throws {
        let test = try await TestIndex([song("a")])
        try await test.index.database.write { try $0.execute(sql: "UPDATE library SET block_version = 77") }
        try await test.index.database.write { try $0.execute(sql: "ALTER TABLE block RENAME TO elsewhere") }
        let lines = LogLines()
        let index = MusicIndex(test.index.database, renderer: PlainRenderer(), log: lines.logger)
        index.stop()
        #expect(lines.all.contains { $0.hasPrefix("warning: ") && $0.contains("block") })
    }
}
