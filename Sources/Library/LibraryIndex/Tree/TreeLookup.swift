import GRDB
import MPDProtocol
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

struct DirectoryText: Sendable {
    /// True if `Last-Modified` follows, as in `lsinfo` and `listallinfo`.
    var withTime: Bool
    /// True if only the last part of the path is wanted, as in `listfiles`.
    var nameOnly = false

    /// Appends directories until `buffer` has grown to `limit`; returns those that are left.
    func append(
        _ directories: ArraySlice<Int64>, _ database: Database, to buffer: inout [UInt8], until limit: Int
    ) throws -> ArraySlice<Int64> {
        let row = try SQLStatement(database, "SELECT path, modified FROM directory WHERE id = ?")
        var rest = directories
        while let id = rest.first, buffer.count < limit {
            rest = rest.dropFirst()
            _ = try row.first(id) { append($0, to: &buffer) }
        }
        return rest
    }

    func children(of parent: TreeLookup.Directory, _ database: Database) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try database.forEach(
            "SELECT path, modified FROM directory WHERE parent = ? ORDER BY number", parent.id
        ) { append($0, to: &bytes) }
        return bytes
    }

    private func append(_ row: SQLStatement, to buffer: inout [UInt8]) {
        buffer.appendDirectory(nameOnly ? lastPart(of: row.bytes(0)) : row.bytes(0))
        if withTime, let modified = row.optionalInt(1) { buffer.appendLastModified(modified) }
    }
}

func lastPart(of path: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard let slash = path.lastIndex(of: 0x2F) else { return path }
    return UnsafeRawBufferPointer(rebasing: path[(slash + 1)...])
}
