import GRDB
import TestSupport
import Testing

@testable import LibraryIndex

@Suite("Quick reads and writes")
struct QuickReadTests {
    private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

    @Test("A read without an end is given up, and the next one answers")
    func givenUp() async throws {
        let index = try TestIndex()
        for _ in 0..<3 {
            let number = index.index.database.quickly { database -> Int64? in
                try database.integer(Self.endless)
            }
            #expect(number == nil)
            #expect(await answers(index))
        }
    }

    /// Whether reads are answered, one of which another program may make too slow.
    private func answers(_ index: TestIndex) async -> Bool {
        await eventually {
            let one = index.index.database.quickly { database -> Int64? in
                try database.integer("SELECT 1")
            }
            return one == 1
        }
    }

    @Test("A quick write stays, is undone where it gives up, and gives way to another writer")
    func writes() async throws {
        let test = try TestIndex()
        func put(_ value: String, _ answer: Bool?) -> Bool? {
            test.index.database.writeQuickly { database in
                try database.setFact("x", value)
                return answer
            }
        }
        #expect(await eventually { put("1", true) == true })
        #expect(put("2", nil) == nil)
        #expect(try await test.index.fact("x") == "1")
        try test.index.database.writeNow { _ in #expect(put("3", true) == nil) }
        #expect(try await test.index.fact("x") == "1")
    }

    @Test("A read that took too long ends its snapshot all the same, however often that is")
    func snapshotsEnd() async throws {
        let index = try TestIndex()
        // SQLite looks at the time every few hundred steps of a statement, all its runs together.
        for _ in 0..<600 {
            let isInside = index.index.database.quickly { database -> Bool? in
                let end = ContinuousClock.now + .microseconds(1_050)
                while ContinuousClock.now < end {}
                return database.isInsideTransaction
            }
            // Another program may have made it too slow even to begin.
            #expect(isInside != false)
        }
        #expect(await answers(index))
    }
}
