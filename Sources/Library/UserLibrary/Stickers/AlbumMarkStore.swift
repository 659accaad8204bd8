import GRDB
import LibraryIndex
import MusicModel

/// Keeps the stars and ratings of single albums inside a transaction.
///
/// MPD's stickers of albums belong to a title, however many albums have it. A row here says what one album of the title
/// has. Where a title has no rows, its albums all have what its sticker says; where it has some, an album without one
/// has nothing.
struct AlbumMarkStore {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// The values that albums of a title have, by their artists; an empty text is nothing.
    func values(_ field: MarkEdit.Field, titled title: String) throws -> [ExactText: String] {
        let rows = try SQLStatement(database, "SELECT artist, value FROM album_mark WHERE title = ? AND name = ?")
        rows.bind(1, title)
        rows.bind(2, MarkConvention.name(field))
        var values: [ExactText: String] = [:]
        try rows.forEach { values[ExactText(rows.text(0))] = rows.text(1) }
        return values
    }

    /// Whether albums of a title have values of their own.
    func areApart(_ field: MarkEdit.Field, titled title: String) throws -> Bool {
        let row = try SQLStatement(database, "SELECT 1 FROM album_mark WHERE title = ? AND name = ? LIMIT 1")
        row.bind(1, title)
        row.bind(2, MarkConvention.name(field))
        return try row.first {} != nil
    }

    /// The value that an album of a title has of its own, an empty text for nothing; nil without one.
    func value(_ field: MarkEdit.Field, of title: String, by artist: String) throws -> String? {
        let row = try SQLStatement(
            database, "SELECT value FROM album_mark WHERE title = ? AND name = ? AND artist = ?")
        row.bind(1, title)
        row.bind(2, MarkConvention.name(field))
        row.bind(3, artist)
        return try row.first { row.text(0) }
    }

    /// Writes what an album has; nil is nothing.
    func set(_ field: MarkEdit.Field, of title: String, by artist: String, to value: String?) throws {
        let insertion = try SQLStatement(
            database,
            """
            INSERT INTO album_mark (title, artist, name, value) VALUES (?, ?, ?, ?)
            ON CONFLICT (title, name, artist) DO UPDATE SET value = excluded.value
            """)
        insertion.bind(1, title)
        insertion.bind(2, artist)
        insertion.bind(3, MarkConvention.name(field))
        insertion.bind(4, value ?? "")
        try insertion.run()
    }

    /// Leaves it to the title's sticker what its albums have.
    func clear(_ sticker: String, titled title: String) throws {
        let deletion = try SQLStatement(database, "DELETE FROM album_mark WHERE title = ? AND name = ?")
        deletion.bind(1, title)
        deletion.bind(2, sticker)
        try deletion.run()
    }
}
