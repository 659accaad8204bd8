import GRDB
import LibraryIndex
import MusicModel
package import UserLibrary

extension SoundSpace {
    /// A stamp that tells whether songs were measured since.
    package struct Stamp: Sendable {
        fileprivate let generation: Int64
        fileprivate let measured: Int
        fileprivate let songs: Int
        fileprivate let made: ContinuousClock.Instant

        /// True if a space of this stamp will do: while a library is being measured, some songs more change little.
        fileprivate func isEnough(_ generation: Int64, _ measured: Int) -> Bool {
            guard self.generation == generation else { return false }
            return self.measured == measured || songs >= SoundSpace.many && .now - made < SoundSpace.minInterval
        }
    }

    /// The number of songs from which on a space need not have the newest measurements for a while.
    private static let many = 1000
    private static let minInterval = Duration.seconds(300)

    /// Reads what was measured of a catalogue's songs; nil when that is nearly what it was at `known`.
    @concurrent
    package static func read(
        _ library: Library, of catalogue: SongCatalogue, unless known: Stamp?
    ) async throws -> (space: SoundSpace, stamp: Stamp)? {
        // Before the read: a song that is measured meanwhile is read once more rather than never.
        let measured = library.measurementGeneration
        if known?.isEnough(catalogue.generation, measured) ?? false { return nil }
        let space = try await library.read { try read($0, of: catalogue) }
        return (space, Stamp(generation: catalogue.generation, measured: measured, songs: space.count, made: .now))
    }

    static func read(_ database: Database, of catalogue: SongCatalogue) throws -> SoundSpace {
        // Their numbers have been comparable since the second version.
        var vectors: [(slot: Int, vector: [Float])] = []
        var traits: [(slot: Int, traits: SongTraits)] = []
        try database.forEach(
            """
            SELECT a.song, a.vector, a.loudness, a.peak, a.tempo, a.confidence, a.key, a.energy
            FROM analysis a JOIN song s ON s.id = a.song AND a.size IS s.size
            WHERE a.tries = 0 AND a.version >= min(2, (SELECT max(version) FROM analysis))
            """
        ) { rows in
            guard let slot = catalogue.slot(of: SongID(rawValue: rows.int(0))) else { return }
            var song = SongTraits()
            song.loudness = rows.optionalDouble(2).map(Float.init)
            song.peak = rows.optionalDouble(3).map(Float.init)
            song.measuredTempo = rows.optionalDouble(4).map(Float.init)
            song.tempo = rows.optionalDouble(5) ?? 0 >= SongTraits.sureTempo ? song.measuredTempo : nil
            song.key = rows.optionalText(6).flatMap(SongTraits.key)
            song.energy = rows.optionalDouble(7).map(Float.init)
            traits.append((slot, song))
            let bytes = rows.bytes(1)
            guard bytes.count >= 4 else { return }
            vectors.append(
                (slot, (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }))
        }
        return SoundSpace(slots: catalogue.count, vectors, traits: traits)
    }
}
