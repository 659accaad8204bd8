import GRDB
import LibraryIndex
import MusicModel

struct StickerNames {
    let database: Database

    /// Every name with every kind of object that it is used for, by their bytes; those of songs that are gone are left
    /// out.
    func all() throws -> [StickerNameType] {
        var names: [StickerNameType] = []
        // Jumps from name to name in the index instead of reading every sticker.
        try database.forEach(
            """
            WITH RECURSIVE names(name) AS (
                SELECT min(name) FROM song_sticker
                UNION ALL SELECT (SELECT min(name) FROM song_sticker WHERE name > names.name) FROM names
                WHERE names.name IS NOT NULL)
            SELECT name FROM names WHERE name IS NOT NULL AND EXISTS (
                SELECT 1 FROM song_sticker t JOIN song s ON s.id = t.song
                WHERE t.name = names.name AND s.uri IS NOT NULL)
            """
        ) { names.append(StickerNameType(name: $0.text(0), type: StickerKind.song.name)) }
        try database.forEach(
            "SELECT DISTINCT name, type FROM sticker"
        ) { names.append(StickerNameType(name: $0.text(0), type: $0.text(1))) }
        return names.sorted { first, second in
            let order = ExactText.compare(first.name, second.name)
            return order == 0 ? ExactText.compare(first.type, second.type) < 0 : order < 0
        }
    }
}
