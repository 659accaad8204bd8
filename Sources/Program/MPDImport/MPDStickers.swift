import Foundation
import GRDB

/// A sticker of MPD's.
struct MPDSticker: Equatable {
    /// `song`, `playlist`, `filter`, or a tag's name.
    var type: String
    /// The song's path, the playlist's name, the expression or the tag's value.
    var uri: String
    /// The sticker's name.
    var name: String
    /// The text that it says.
    var value: String

    private static let maxStickers = 10_000_000

    /// Reads MPD's sticker database, which MPD may be using.
    ///
    /// - Throws: `MPDImportError` when it can't be read or has another form.
    static func all(in path: String) throws(MPDImportError) -> [MPDSticker] {
        guard FileManager.default.fileExists(atPath: path) else { throw MPDImportError("there is no \(path)") }
        try check(path)
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            return try DatabaseQueue(path: path, configuration: configuration).read { database in
                let rows = try Row.fetchCursor(
                    database,
                    sql: "SELECT type, CAST(uri AS BLOB), name, CAST(value AS BLOB) FROM sticker ORDER BY 1, 2, 3")
                var stickers: [MPDSticker] = []
                while let row = try rows.next(), stickers.count < maxStickers {
                    stickers.append(
                        MPDSticker(type: text(row, 0), uri: text(row, 1), name: text(row, 2), value: text(row, 3)))
                }
                return stickers
            }
        } catch {
            let reason = (error as? DatabaseError)?.message ?? "\(error)"
            throw MPDImportError("\(path) can't be read as a sticker database of MPD's: \(reason)", cause: error)
        }
    }

    /// SQLite's own words for a file of another kind are no help.
    private static func check(_ path: String) throws(MPDImportError) {
        guard let file = fopen(path, "rb") else {
            throw MPDImportError("can't read \(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var begin = [UInt8](repeating: 0, count: 16)
        let count = fread(&begin, 1, begin.count, file)
        guard count == 0 || begin == Array("SQLite format 3\0".utf8) else {
            throw MPDImportError("\(path) is not a sticker database of MPD's")
        }
    }

    /// A column as text, whatever was put into it.
    private static func text(_ row: Row, _ column: Int) -> String {
        switch (row[column] as DatabaseValue).storage {
        case .string(let text): text
        case .int64(let number): String(number)
        case .double(let number): String(number)
        case .blob(let data): LosslessText.text(data)
        case .null: ""
        }
    }
}
