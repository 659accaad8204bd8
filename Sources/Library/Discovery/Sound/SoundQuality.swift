import GRDB
import LibraryIndex
import MusicModel

/// How well the measured sound tells which songs belong together, by a sample. Where the songs that sound most alike
/// share albums, artists and genres far more often than songs by chance, the sound says something about this music.
package struct SoundQuality: Codable, Hashable, Sendable {
    /// Shares from 0 to 1 of songs that have something in common with the one that was asked for.
    package struct Share: Codable, Hashable, Sendable {
        /// Of the five that sound most alike.
        package var sound = 0.0
        /// Of the five nearest by genres, years and artists.
        package var tags = 0.0
        /// Of all songs that could have been among the five.
        package var chance = 0.0
        /// How many songs were asked for.
        package var songs = 0
    }

    private static let neighbours = 5
    private static let maxAsked = 400
    private static let minAsked = 50
    /// Comparisons of two songs, for which all that are asked for share; a second's work.
    private static let maxComparisons = 20_000_000
    private static let maxForHubs = 2000
    private static let neighboursForHubs = 10

    /// Songs of the same album.
    package var album = Share()
    /// Songs by the same artist, of other albums.
    package var artist = Share()
    /// Songs that share a genre, by other artists: one artist's songs sound alike whatever their genre.
    package var genre = Share()
    /// How skewed it is how often songs are among the ten nearest of others; from 1.5 on they come again and again.
    package var hubs = 0.0

    /// Reads a database that a server may be using at the same time; nil where fewer than 50 songs were measured.
    /// - Isolation: blocks for a second or two.
    package static func read(path: String) throws -> SoundQuality? {
        var configuration = GRDB.Configuration()
        configuration.label = "segue.quality"
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            return try DatabaseQueue(path: path, configuration: configuration).read { database in
                let catalogue = try SongCatalogue.read(database)
                return try SoundQuality(catalogue, SoundSpace.read(database, of: catalogue))
            }
        } catch let error as DatabaseError {
            throw LibraryError(error, path: path)
        }
    }

    /// Compares a sample of the songs that were measured with all others; nil where these are fewer than 50.
    package init?(_ catalogue: SongCatalogue, _ space: SoundSpace) {
        let known = (0..<catalogue.count).filter { space.isKnown($0) }
        guard known.count >= Self.minAsked else { return nil }
        let asked = max(Self.minAsked, min(Self.maxAsked, Self.maxComparisons / known.count))
        for slot in Self.sample(known, asked) { ask(slot, known, catalogue, space) }
        album.divide()
        artist.divide()
        genre.divide()
        hubs = Self.hubs(Self.sample(known, Self.maxForHubs), space)
    }

    private static func sample(_ slots: [Int], _ count: Int) -> [Int] {
        guard slots.count > count else { return slots }
        return (0..<count).map { slots[$0 * slots.count / count] }
    }

    private mutating func ask(_ slot: Int, _ known: [Int], _ catalogue: SongCatalogue, _ space: SoundSpace) {
        guard let point = space.centre(of: [(slot, 1)]) else { return }
        let others = known.filter { $0 != slot && !catalogue.isSamePiece($0, slot) }
        let tags = Affinity(catalogue, SoundSpace(), anchors: [catalogue.ids[slot]: 1], last: nil)
            .values(others, catalogue)
        var (albums, artists, genres) = (Nearest(), Nearest(), Nearest())
        for (index, other) in others.enumerated() {
            let nearness = (sound: space.likeness(other, to: point) ?? 0, tags: tags[index])
            let isSameAlbum = catalogue.albums[other] == catalogue.albums[slot]
            let isSameArtist = catalogue.sharesArtist(other, slot)
            albums.offer(other, nearness, isSameAlbum)
            if !isSameAlbum { artists.offer(other, nearness, isSameArtist) }
            if !isSameArtist {
                let own = catalogue.genres(at: slot)
                genres.offer(other, nearness, catalogue.genres(at: other).contains { own.contains($0) })
            }
        }
        if catalogue.albums[slot] != 0 { album.add(albums) }
        if !catalogue.artists(at: slot).isEmpty { artist.add(artists) }
        if !catalogue.genres(at: slot).isEmpty { genre.add(genres) }
    }

    fileprivate struct Nearest {
        var sound = BestList(neighbours)
        var tags = BestList(neighbours)
        var alike: Set<Int> = []
        var offered = 0

        mutating func offer(_ slot: Int, _ nearness: (sound: Float, tags: Float), _ isAlike: Bool) {
            sound.offer(slot, nearness.sound)
            tags.offer(slot, nearness.tags)
            offered += 1
            if isAlike { alike.insert(slot) }
        }

        func share(_ list: BestList) -> Double {
            Double(list.sorted.count { alike.contains($0.slot) }) / Double(max(1, list.sorted.count))
        }
    }

    private static func hubs(_ slots: [Int], _ space: SoundSpace) -> Double {
        var counts: [Int: Int] = [:]
        for slot in slots {
            guard let point = space.centre(of: [(slot, 1)]) else { continue }
            var best = BestList(neighboursForHubs)
            for other in slots where other != slot { best.offer(other, space.likeness(other, to: point) ?? 0) }
            for near in best.sorted { counts[near.slot, default: 0] += 1 }
        }
        let values = slots.map { Double(counts[$0] ?? 0) }
        let mean = values.reduce(0, +) / Double(values.count)
        let square = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
        let cube = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) * ($1 - mean) } / Double(values.count)
        return square > 0 ? cube / (square * square.squareRoot()) : 0
    }
}

extension SoundQuality.Share {
    fileprivate mutating func add(_ nearest: SoundQuality.Nearest) {
        guard nearest.offered > 0 else { return }
        sound += nearest.share(nearest.sound)
        tags += nearest.share(nearest.tags)
        chance += Double(nearest.alike.count) / Double(nearest.offered)
        songs += 1
    }

    fileprivate mutating func divide() {
        guard songs > 0 else { return }
        (sound, tags, chance) = (sound / Double(songs), tags / Double(songs), chance / Double(songs))
    }
}
