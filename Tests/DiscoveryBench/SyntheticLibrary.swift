import Discovery
import MusicModel

/// A large library that does not exist: twelve songs by each artist on two albums, in 60 styles.
struct SyntheticLibrary {
    private static let styles = 60
    private static let numbers = 30
    /// How much of what is measured is the style's, the artist's and the song's own.
    private static let parts: (style: Float, artist: Float, song: Float) = (1, 0.6, 0.8)

    /// The songs' tags.
    let entries: [SongCatalogue.Entry]
    /// What was measured of each.
    let vectors: [(slot: Int, vector: [Float])]

    init(songs: Int) {
        var generator = PickGenerator(seed: 11)
        // The sum of three dice is near enough to what is measured of real songs.
        func point() -> [Float] {
            (0..<Self.numbers).map { _ in
                (0..<3).reduce(Float(0)) { sum, _ in sum + .random(in: -1...1, using: &generator) }
            }
        }
        let styles = (0..<Self.styles).map { _ in point() }
        var (entries, vectors): ([SongCatalogue.Entry], [(slot: Int, vector: [Float])]) = ([], [])
        var artist = point()
        for slot in 0..<songs {
            if slot % 12 == 0 { artist = point() }
            let (number, style) = (slot / 12, slot / 12 % Self.styles)
            var entry = SongCatalogue.Entry(
                id: SongID(rawValue: Int64(slot + 1)), artists: [UInt32(number + 1)], genres: [UInt32(style + 1)])
            (entry.title, entry.album) = (UInt32(slot + 1), UInt32(slot / 6 + 1))
            (entry.albumArtist, entry.seconds) = (UInt32(number + 1), 200)
            entry.year = Int16(1960 + number * 7 % 60)
            entries.append(entry)
            let own = point()
            let vector = (0..<Self.numbers).map { index in
                Self.parts.style * styles[style][index] + Self.parts.artist * artist[index] + Self.parts.song
                    * own[index]
            }
            vectors.append((slot, vector))
        }
        (self.entries, self.vectors) = (entries, vectors)
    }
}
