import GRDB
import LibraryIndex
import MusicModel

/// Keeps the stars and ratings of single albums inside a transaction. MPD's stickers of albums belong to a title,
/// however many albums have it. A row here says what one album of the title has. Where a title has no rows, its albums
/// all have what its sticker says; where it has some, an album without one has nothing.
struct AlbumMarkStore {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// The values that albums of a title have, by their artists; an empty text is nothing.
    func values(_ field: MarkEdit.Field, titled title: String) throws -> [ExactText: String] {
        var values: [ExactText: String] = [:]
        try database.forEach(
            "SELECT artist, value FROM album_mark WHERE title = ? AND name = ?", title, MarkConvention.name(field)
        ) { values[ExactText($0.text(0))] = $0.text(1) }
        return values
    }

    func areApart(_ field: MarkEdit.Field, titled title: String) throws -> Bool {
        try database.first(
            "SELECT 1 FROM album_mark WHERE title = ? AND name = ?", title, MarkConvention.name(field)
        ) { _ in } != nil
    }

    /// The value that an album of a title has of its own, an empty text for nothing; nil without one.
    func value(_ field: MarkEdit.Field, of title: String, by artist: String) throws -> String? {
        try database.first(
            "SELECT value FROM album_mark WHERE title = ? AND name = ? AND artist = ?", title,
            MarkConvention.name(field), artist
        ) { $0.text(0) }
    }

    /// Writes what an album has; nil is nothing.
    func set(_ field: MarkEdit.Field, of title: String, by artist: String, to value: String?) throws {
        try database.run(
            """
            INSERT INTO album_mark (title, artist, name, value) VALUES (?, ?, ?, ?)
            ON CONFLICT (title, name, artist) DO UPDATE SET value = excluded.value
            """, title, artist, MarkConvention.name(field), value ?? "")
    }

    /// Leaves it to the title's sticker what its albums have.
    func clear(_ sticker: String, titled title: String) throws {
        try database.run("DELETE FROM album_mark WHERE title = ? AND name = ?", title, sticker)
    }
}
