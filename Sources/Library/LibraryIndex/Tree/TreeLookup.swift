import GRDB
import MusicModel

struct TreeLookup {
    struct Directory {
        var id: Int64
        var number: Int64
        var path: String
    }

    private let database: Database
    private let songRow: SQLStatement
    private let directoryRow: SQLStatement

    init(_ database: Database) throws {
        self.database = database
        songRow = try SQLStatement(database, "SELECT id FROM song WHERE uri = ?")
        directoryRow = try SQLStatement(database, "SELECT id, number FROM directory WHERE path = ?")
    }

    /// The song at exactly this path; a hidden one's may be that of a directory as well.
    func song(at uri: String) throws -> Int64? { try songRow.first(uri) { $0.int(0) } }

    func directory(at path: String) throws -> Directory? {
        try directoryRow.first(path) { Directory(id: $0.int(0), number: $0.int(1), path: path) }
    }

    /// The numbers of a directory and of the last one below it.
    func numbers(below directory: Directory) throws -> ClosedRange<Int64> {
        if directory.path.isEmpty { return 0...(Int64.max >> (Schema.positionBits + 1)) }
        let last = try database.integer(
            "SELECT max(number) FROM directory WHERE path > ?1 || '/' AND path < ?1 || '0'", directory.path)
        return directory.number...max(last, directory.number)
    }

    /// The places of a directory and all below it in the order of the walk; nil when there is none.
    func subtree(of path: String, in order: WalkOrder) throws -> Range<Int>? {
        guard let directory = try directory(at: path) else { return nil }
        let numbers = try numbers(below: directory)
        let start = order.directoryIndex(atNumber: numbers.lowerBound)
        return start..<order.directoryIndex(atNumber: numbers.upperBound.addingClamped(1))
    }
}
