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

    private static let mostStickers = 10_000_000

    /// Reads MPD's sticker database, which MPD may be using.
    ///
    /// - Throws: `MPDImportError` when it can't be read or has another form.
    static func all(in path: String) throws(MPDImportError) -> [MPDSticker] {
        guard FileManager.default.fileExists(atPath: path) else { throw MPDImportError("there is no \(path)") }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            return try DatabaseQueue(path: path, configuration: configuration).read { database in
                let rows = try Row.fetchCursor(
                    database, sql: "SELECT type, uri, name, value FROM sticker ORDER BY type, uri, name")
                var stickers: [MPDSticker] = []
                while let row = try rows.next(), stickers.count < mostStickers {
                    stickers.append(
                        MPDSticker(type: text(row, 0), uri: text(row, 1), name: text(row, 2), value: text(row, 3)))
                }
                return stickers
            }
        } catch {
            throw MPDImportError("\(path) can't be read as a sticker database of MPD's: \(error)", cause: error)
        }
    }

    /// A column as text, whatever was put into it.
    private static func text(_ row: Row, _ column: Int) -> String {
        switch (row[column] as DatabaseValue).storage {
        case .string(let text): text
        case .int64(let number): String(number)
        case .double(let number): String(number)
        case .blob(let data): String(decoding: data, as: UTF8.self)
        case .null: ""
        }
    }
}
