import GRDB
import LibraryIndex
import MusicModel

// Stickers: names with values that clients attach to songs, playlists, tag values and filters.
//
// These functions are the clients': what they change of stars and ratings goes to the server. What the server has comes
// in through `Library+Marks`.

extension Library {
    /// The text of a sticker; nil when there is none.
    package func sticker(
        _ name: String, of object: StickerObject, isolation: isolated (any Actor)? = #isolation
    ) async throws -> String? { try await readOne { try StickerStore($0).value(name, of: object) } }

    /// All stickers of an object, by the bytes of their names.
    package func stickers(of object: StickerObject) async throws -> [(name: String, value: String)] {
        try await read { try StickerStore($0).values(of: object) }
    }

    /// Writes a sticker; nil when nothing changed. Whether the object exists is the caller's to check.
    /// - Throws: `LibraryError`, `.diskFull` among them.
    @discardableResult
    package func setSticker(_ name: String, of object: StickerObject, to value: String) async throws -> StickerChange? {
        // Of these a song has one each, however often they are written.
        if !MarkConvention.names.contains(name) { try checkDisk() }
        return try await edit { try $0.set(name, of: object, to: value) }
    }

    /// Counts a sticker up or down; a new one gets the amount as it is. nil when nothing changed.
    @discardableResult
    package func countSticker(
        _ name: String, of object: StickerObject, _ step: StickerStep, by amount: String
    ) async throws -> StickerChange? {
        if !MarkConvention.names.contains(name) { try checkDisk() }
        return try await edit { try $0.count(name, of: object, step, by: amount) }
    }

    /// Removes a sticker; nil when there is none.
    @discardableResult
    package func deleteSticker(_ name: String, of object: StickerObject) async throws -> StickerChange? {
        try await edit { try $0.delete(name, of: object) }
    }

    /// Removes all stickers of an object and returns them.
    @discardableResult
    package func deleteStickers(of object: StickerObject) async throws -> [StickerChange] {
        try await edit { try $0.deleteAll(of: object) }
    }

    /// Writes stickers for a client; what the server has to hear of waits in the same transaction.
    func edit<Value: Sendable>(_ body: @escaping @Sendable (inout MarkWriter) throws -> Value) async throws -> Value {
        let now = UnixTime.milliseconds
        let (value, hasWork) = try await write { database in
            var writer = MarkWriter(database, now: now)
            return (try body(&writer), writer.hasWork)
        }
        if hasWork { noteUpstreamWork() }
        return value
    }

    /// Stickers of a kind: of songs those below the directory `base`, of other objects those whose names begin with it.
    package func findStickers(_ kind: StickerKind, below base: String, _ query: StickerQuery) async throws
        -> [FoundSticker]
    {
        try await read { database in
            let search = StickerSearch(database: database, query: query)
            return kind == .song ? try search.songs(below: base) : try search.objects(kind, startingWith: base)
        }
    }

    /// Every sticker's name with every kind of object that it is used for, by their bytes.
    package func stickerNames() async throws -> [StickerNameType] {
        try await read { database in
            // Jumps from name to name in the index instead of reading every sticker; those of songs that are gone are
            // left out.
            try database.rows(
                """
                WITH RECURSIVE names(name) AS (
                    SELECT min(name) FROM song_sticker
                    UNION ALL SELECT (SELECT min(name) FROM song_sticker WHERE name > names.name) FROM names
                    WHERE names.name IS NOT NULL)
                SELECT name, 'song' AS type FROM names WHERE name IS NOT NULL AND EXISTS (
                    SELECT 1 FROM song_sticker t JOIN song s ON s.id = t.song
                    WHERE t.name = names.name AND s.uri IS NOT NULL)
                UNION ALL SELECT DISTINCT name, type FROM sticker ORDER BY 1, 2
                """
            ) { StickerNameType(name: $0.text(0), type: $0.text(1)) }
        }
    }
}
