import GRDB
package import LibraryIndex
import MusicModel

/// The stars and ratings of all albums, as the page shows them.
package struct AlbumMarks: Sendable {
    private var ofTitles: [ExactText: [String: String]] = [:]
    private var own: [ExactText: [String: [ExactText: String]]] = [:]

    fileprivate init(_ database: Database) throws {
        try database.forEach(
            "SELECT object, name, value FROM sticker WHERE type = ? AND name IN ('like', 'rating')",
            "\(Tag.album.wireName)"
        ) { ofTitles[ExactText($0.text(0)), default: [:]][$0.text(1)] = $0.text(2) }
        try database.forEach("SELECT title, name, artist, value FROM album_mark") { row in
            own[ExactText(row.text(0)), default: [:]][row.text(1), default: [:]][ExactText(row.text(2))] = row.text(3)
        }
    }

    /// The star and the rating of an album.
    package subscript(album: Catalog.Album) -> ShownMarks {
        let (title, artist) = (ExactText(album.title), ExactText(album.artist))
        var marks = ShownMarks()
        for name in [MarkConvention.like, MarkConvention.rating] {
            let albums = own[title]?[name]
            let value = albums == nil ? ofTitles[title]?[name] : albums?[artist]
            if let value, !value.isEmpty { marks.take(name, value) }
        }
        return marks
    }
}

/// A change of a star or a rating of one album.
package struct AlbumMarkChange: Sendable {
    /// The sticker that clients know it by: `like` or `rating`.
    var sticker: String
    var value: String?
    var title: String
    var artist: String
    var others: [String]

    /// Describes a change.
    package init(_ sticker: String, to value: String?, of album: Catalog.Album, in catalog: Catalog) {
        (self.sticker, self.value) = (sticker, value)
        (title, artist) = (album.title, album.artist)
        others = catalog.albums.filter { ExactText.equal($0.title, album.title) && $0.id != album.id }.map(\.artist)
    }
}

extension Library {
    /// The stars and ratings of albums, of which several may have one title.
    package func albumMarks() async throws -> AlbumMarks { try await read { try AlbumMarks($0) } }

    /// Stars or rates one album, for the server, too; true if that changes anything. The title shows the best.
    package func change(_ change: AlbumMarkChange) async throws -> Bool { try await edit { try $0.apply(change) } }
}

/// Keeps the stars and ratings of single albums inside a transaction, while MPD's stickers belong to a title, however
/// many albums have it. Where a title has rows, an album without one has nothing.
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
        try database.has("SELECT 1 FROM album_mark WHERE title = ? AND name = ?", title, MarkConvention.name(field))
    }

    /// The value that an album of a title has of its own, an empty text for nothing; nil without one.
    func value(_ field: MarkEdit.Field, of title: String, by artist: String) throws -> String? {
        try database.first(
            "SELECT value FROM album_mark WHERE title = ? AND name = ? AND artist = ?", title,
            MarkConvention.name(field), artist
        ) { $0.text(0) }
    }

    func set(_ field: MarkEdit.Field, of title: String, by artist: String, to value: String?) throws {
        try database.run(
            """
            INSERT INTO album_mark (title, artist, name, value) VALUES (?, ?, ?, ?)
            ON CONFLICT (title, name, artist) DO UPDATE SET value = excluded.value
            """, title, artist, MarkConvention.name(field), value ?? "")
    }

    func clear(_ sticker: String, titled title: String) throws {
        try database.run("DELETE FROM album_mark WHERE title = ? AND name = ?", title, sticker)
    }
}
