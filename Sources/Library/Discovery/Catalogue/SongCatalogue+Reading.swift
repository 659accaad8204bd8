import Coordination
import GRDB
import LibraryIndex
import MusicModel
package import UserLibrary

extension SongCatalogue {
    /// So few songs are read without asking for memory.
    private static let manySongs = 10_000
    /// The bytes that a song takes while the columns are made, in addition to the rows that they are made of.
    private static let memoryOfSong = 256

    /// Reads the library's songs; nil when `known` still shows what there is.
    /// - Throws: what the database throws, and `MemoryShortage` where the songs need more memory than there is.
    /// - Isolation: the global executor; 50,000 songs take about a tenth of a second.
    @concurrent
    package static func read(_ library: Library, unless known: SongCatalogue?) async throws -> SongCatalogue? {
        let seen = known?.generation
        let (generation, count) = try await library.read { database in
            (
                try database.integer("SELECT generation FROM library"),
                Int(clamping: try database.integer("SELECT songs FROM library"))
            )
        }
        guard generation != seen else { return nil }
        let size = count < manySongs ? 0 : count.multipliedClamped(by: memoryOfSong)
        let room = size == 0 ? nil : try await library.memoryBudget.reserve(size, for: "the songs for discovery")
        defer { room?.release() }
        return try await library.read { database in
            let generation = try database.integer("SELECT generation FROM library")
            return generation == seen ? nil : try CatalogueReader(database).read(generation)
        }
    }

    static func read(_ database: Database) throws -> SongCatalogue {
        try CatalogueReader(database).read(database.integer("SELECT generation FROM library"))
    }
}

private struct CatalogueReader {
    private let database: Database
    private let years: [UInt32: Int16]

    init(_ database: Database) throws {
        self.database = database
        years = try Self.texts(of: .date, database).merging(Self.texts(of: .originalDate, database)) { $1 }
            .compactMapValues { DateText.year(of: $0).map { Int16($0) } }
    }

    func read(_ generation: Int64) throws -> SongCatalogue {
        var entries: [SongCatalogue.Entry] = []
        try database.forEach("SELECT id, duration, added, tags FROM song WHERE walk IS NOT NULL ORDER BY walk") { row in
            var entry = SongCatalogue.Entry(id: SongID(rawValue: row.int(0)), artists: [], genres: [])
            entry.seconds = Int32(clamping: row.int(1) / 1000)
            entry.added = row.int(2)
            take(TagList.decode(row.bytes(3)), into: &entry)
            entries.append(entry)
        }
        return SongCatalogue(
            entries, generation: generation, genreNames: try Self.texts(of: .genre, database),
            moodNames: try Self.texts(of: .mood, database))
    }

    private func take(_ tags: [TagList.Item], into entry: inout SongCatalogue.Entry) {
        var originalYear: Int16?
        for item in tags {
            let value = UInt32(clamping: item.value)
            switch item.tag {
            case .artist: entry.artists.append(value)
            case .genre: entry.genres.append(value)
            case .mood: entry.moods.append(value)
            case .album: entry.album = entry.album == 0 ? value : entry.album
            case .albumArtist: entry.albumArtist = entry.albumArtist == 0 ? value : entry.albumArtist
            case .title: entry.title = entry.title == 0 ? value : entry.title
            case .originalDate: originalYear = years[value] ?? originalYear
            case .date: entry.year = years[value] ?? entry.year
            default: break
            }
        }
        if let originalYear { entry.year = originalYear }
        if entry.artists.isEmpty, entry.albumArtist != 0 { entry.artists = [entry.albumArtist] }
    }

    private static func texts(of tag: Tag, _ database: Database) throws -> [UInt32: String] {
        var texts: [UInt32: String] = [:]
        try database.forEach(
            "SELECT id, text FROM value WHERE kind = ?", Int64(tag.rawValue)
        ) { texts[UInt32(clamping: $0.int(0))] = $0.text(1) }
        return texts
    }
}
