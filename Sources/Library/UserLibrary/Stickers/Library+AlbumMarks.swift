import GRDB
package import LibraryIndex
import MusicModel

/// The stars and ratings of all albums, as the page shows them.
package struct AlbumMarks: Sendable {
    /// By title and the sticker's name.
    private var ofTitles: [ExactText: [String: String]] = [:]
    /// By title, the sticker's name, and artist.
    private var own: [ExactText: [String: [ExactText: String]]] = [:]

    fileprivate init(_ database: Database) throws {
        try database.forEach(
            "SELECT object, name, value FROM sticker WHERE type = ? AND name IN ('like', 'rating')",
            "\(Tag.album.wireName)"
        ) { ofTitles[ExactText($0.text(0)), default: [:]][$0.text(1)] = $0.text(2) }
        try database.forEach("SELECT title, name, artist, value FROM album_mark") { row in
            own[ExactText(row.text(0)), default: [:]][row.text(1), default: [:]][ExactText(row.text(2))] =
                row.text(3)
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
    package var sticker: String
    /// The sticker's value; nil for none.
    package var value: String?
    /// The album's title.
    package var title: String
    /// The album's artist, as the catalog has it.
    package var artist: String
    /// The artists of the other albums of this title.
    package var others: [String]

    /// Describes a change.
    package init(_ sticker: String, to value: String?, of album: Catalog.Album, in catalog: Catalog) {
        (self.sticker, self.value) = (sticker, value)
        (title, artist) = (album.title, album.artist)
        others = catalog.albums.filter { ExactText.equal($0.title, album.title) && $0.id != album.id }.map(\.artist)
    }
}

extension Library {
    /// The stars and ratings of albums, of which several may have one title.
    @concurrent
    package func albumMarks() async throws -> AlbumMarks { try await read { try AlbumMarks($0) } }

    /// Stars or rates one album, for the server, too; the sticker of its title shows the best of all albums of that
    /// title.
    /// - Returns: whether anything has changed.
    @concurrent
    package func change(_ change: AlbumMarkChange) async throws -> Bool {
        let now = UnixTime.milliseconds
        let (hasChanged, hasWork) = try await write { database in
            var writer = MarkWriter(database, now: now)
            return (try writer.apply(change), writer.hasWork)
        }
        if hasWork { noteUpstreamWork() }
        return hasChanged
    }
}
