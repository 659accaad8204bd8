import GRDB
import MusicModel

struct UriSearch {
    private let database: Database
    private let test: StringTest
    private let budget: MatchingBudget

    init(_ database: Database, _ test: StringTest, _ budget: MatchingBudget) {
        (self.budget, self.database, self.test) = (budget, database, test)
    }

    /// The songs that pass without regard to the negation, hidden ones too.
    func songs() throws -> SongSet {
        if test.operator == .equals && !test.foldsCase {
            var result = SongSet()
            if let song = try TreeLookup(database).song(at: test.value) { result.insert(song) }
            return result
        }
        if test.operator == .regularExpression {
            let expression = try RegularExpression(test.value, foldsCase: test.foldsCase, budget: budget)
            return try scan(expression.matches)
        }
        return test.foldsCase ? try scanFolded() : try scanExact()
    }

    private func scanExact() throws -> SongSet {
        let needle = Array(test.value.utf8)
        return try scan { test.operator.passes(UnsafeRawBufferPointer($0), needle) }
    }

    private func scanFolded() throws -> SongSet {
        let needle = Array(test.form(of: test.value).utf8)
        var buffer: [UInt8] = []
        return try scan {
            test.fold($0, into: &buffer)
            return buffer.withUnsafeBytes { test.operator.passes($0, needle) }
        }
    }

    private func scan(_ passes: (UnsafeBufferPointer<UInt8>) throws -> Bool) throws -> SongSet {
        var result = SongSet()
        try database.forEach("SELECT id, uri FROM song INDEXED BY song_uri WHERE uri IS NOT NULL") { row in
            if try passes(row.utf8(1)) { result.insert(row.int(0)) }
        }
        return result
    }
}

extension StringTest.Operator {
    /// Compares bytes that are folded alike, or not at all; regular expressions are compared elsewhere.
    func passes(_ text: UnsafeRawBufferPointer, _ needle: [UInt8]) -> Bool {
        switch self {
        case .equals: text.equals(needle)
        case .contains: text.contains(needle)
        case .startsWith: text.starts(with: needle)
        case .regularExpression: false
        }
    }
}
