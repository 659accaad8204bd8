import GRDB
import MPDProtocol

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

    /// The lines of the directories in a directory; nil when there are more than `limit`.
    func children(of parent: TreeLookup.Directory, _ database: Database, atMost limit: Int) throws -> [UInt8]? {
        let rows = try SQLStatement(database, "SELECT path, modified FROM directory WHERE parent = ? ORDER BY number")
        rows.bind(1, parent.id)
        defer { rows.reset() }
        var bytes: [UInt8] = []
        var count = 0
        while try rows.step() {
            guard count < limit else { return nil }
            count += 1
            append(rows, to: &bytes)
        }
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
