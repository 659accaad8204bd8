import MusicModel
import Testing

@testable import Discovery

@Suite("How well the sound tells what belongs together")
struct SoundQualityTests {
    /// Songs in styles, twelve by each artist on two albums; `parts` says how much of what is measured is the style's,
    /// the artist's and the song's own.
    private func library(
        songs: Int, styles: Int, _ parts: (style: Float, artist: Float, song: Float)
    ) -> (SongCatalogue, SoundSpace) {
        var generator = PickGenerator(seed: 3)
        func point() -> [Float] { (0..<30).map { _ in Float.random(in: -1...1, using: &generator) } }
        let centres = (0..<styles).map { _ in point() }
        var (entries, vectors): ([SongCatalogue.Entry], [(slot: Int, vector: [Float])]) = ([], [])
        var artist = point()
        for slot in 0..<songs {
            if slot % 12 == 0 { artist = point() }
            let number = slot / 12
            var entry = SongCatalogue.Entry(
                id: SongID(rawValue: Int64(slot + 1)), artists: [UInt32(number + 1)],
                genres: [UInt32(number % styles + 1)])
            (entry.title, entry.album, entry.albumArtist) = (UInt32(slot + 1), UInt32(slot / 6 + 1), UInt32(number + 1))
            entries.append(entry)
            let own = point()
            vectors.append(
                (
                    slot,
                    (0..<30).map {
                        parts.style * centres[number % styles][$0] + parts.artist * artist[$0] + parts.song * own[$0]
                    }
                ))
        }
        return (SongCatalogue(entries), SoundSpace(slots: songs, vectors))
    }

    @Test("sound that follows styles and artists is told from chance, without hubs")
    func good() throws {
        let (catalogue, space) = library(songs: 960, styles: 8, (1, 0.5, 0.6))
        let quality = try #require(SoundQuality(catalogue, space))
        #expect(quality.genre.sound >= 0.95, "found \(quality.genre)")
        #expect((0.08...0.16).contains(quality.genre.chance))
        #expect(quality.artist.sound > 10 * quality.artist.chance, "found \(quality.artist)")
        #expect(quality.album.sound > 10 * quality.album.chance, "found \(quality.album)")
        // Styles as close as these, of 120 songs each, have some hubs by themselves: 1.96.
        #expect(quality.hubs <= 2.2, "found \(quality.hubs)")
        #expect(quality.genre.songs == 400)
    }

    @Test("sound that has nothing to do with the tags is no better than chance, while tags know genres")
    func chance() throws {
        let (catalogue, space) = library(songs: 480, styles: 8, (0, 0, 1))
        let quality = try #require(SoundQuality(catalogue, space))
        #expect(abs(quality.genre.sound - quality.genre.chance) < 0.05, "found \(quality.genre)")
        #expect(quality.artist.sound < 0.06)
        #expect(quality.genre.tags == 1)
    }

    @Test("a song that is near to all others counts as a hub")
    func hubs() throws {
        // All lie on axes of their own but a few in the middle, which are the nearest of each.
        let vectors = (0..<300).map { slot in
            var numbers = [Float](repeating: 0, count: 30)
            let distance = Float(slot % 7 + 1)
            if slot >= 5 { numbers[slot % 30] = slot.isMultiple(of: 2) ? distance : -distance }
            return (slot: slot, vector: numbers)
        }
        let entries = (0..<300).map {
            SongCatalogue.Entry(id: SongID(rawValue: Int64($0 + 1)), artists: [UInt32($0 + 1)], genres: [])
        }
        let quality = try #require(SoundQuality(SongCatalogue(entries), SoundSpace(slots: 300, vectors)))
        #expect(quality.hubs > 2.2, "found \(quality.hubs)")
        #expect(quality.genre.songs == 0 && quality.album.songs == 0)
    }

    @Test("too few songs say nothing")
    func few() {
        let (catalogue, space) = library(songs: 48, styles: 2, (1, 1, 1))
        #expect(SoundQuality(catalogue, space) == nil)
        #expect(SoundQuality(SongCatalogue([]), SoundSpace()) == nil)
    }
}
