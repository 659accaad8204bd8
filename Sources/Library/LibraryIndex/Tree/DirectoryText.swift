import GRDB

/// Writes the lines of directories.
struct DirectoryText: Sendable {
    /// Whether `Last-Modified` follows, as in `lsinfo` and `listallinfo`.
    var withTime: Bool
    /// Whether only the last part of the path is wanted, as in `listfiles`.
    var nameOnly = false

    /// Appends directories until `buffer` has grown to `limit`; returns those that are left.
    func append(
        _ directories: ArraySlice<Int64>, _ database: Database, to buffer: inout [UInt8], until limit: Int
    ) throws -> ArraySlice<Int64> {
        let row = try SQLStatement(database, "SELECT path, modified FROM directory WHERE id = ?")
        var rest = directories
        while let id = rest.first, buffer.count < limit {
            rest = rest.dropFirst()
            row.bind(1, id)
            _ = try row.first { append(row, to: &buffer) }
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

    /// Appends the lines of a row of path and time.
    private func append(_ row: SQLStatement, to buffer: inout [UInt8]) {
        buffer.appendLine("directory: ", nameOnly ? lastPart(of: row.bytes(0)) : row.bytes(0))
        if withTime, let modified = row.optionalInt(1) { buffer.appendTime(modified) }
    }
}

/// The part behind the last slash of a path.
func lastPart(of path: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard let slash = path.lastIndex(of: 0x2F) else { return path }
    return UnsafeRawBufferPointer(rebasing: path[(slash + 1)...])
}

extension [UInt8] {
    /// Appends a key with its value and a line feed.
    mutating func appendLine(_ key: StaticString, _ value: UnsafeRawBufferPointer) {
        key.withUTF8Buffer { append(contentsOf: $0) }
        append(contentsOf: value)
        append(0x0A)
    }

    /// Appends the `Last-Modified` line of a time in Unix seconds.
    mutating func appendTime(_ seconds: Int64) {
        append(contentsOf: "Last-Modified: ".utf8)
        let (year, month, day) = civilDate(daysSince1970: Int((Double(seconds) / 86_400).rounded(.down)))
        let second = Int(((seconds % 86_400) + 86_400) % 86_400)
        appendNumber(year, digits: 4)
        append(0x2D)
        appendNumber(month, digits: 2)
        append(0x2D)
        appendNumber(day, digits: 2)
        append(0x54)
        appendNumber(second / 3600, digits: 2)
        append(0x3A)
        appendNumber(second / 60 % 60, digits: 2)
        append(0x3A)
        appendNumber(second % 60, digits: 2)
        append(0x5A)
        append(0x0A)
    }

    private mutating func appendNumber(_ number: Int, digits: Int) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(0x30 + number / divisor % 10))
            divisor /= 10
        }
    }
}

/// The date of a day of the proleptic Gregorian calendar, counted in eras of 400 years that begin in March.
private func civilDate(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
}
