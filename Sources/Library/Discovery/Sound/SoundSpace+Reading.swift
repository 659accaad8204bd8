import GRDB
import LibraryIndex
import MusicModel
package import UserLibrary

extension SoundSpace {
    /// A stamp that changes when another song is measured.
    package struct Stamp: Hashable, Sendable {
        fileprivate var generation: Int64
        fileprivate var measured: Int64
        fileprivate var newest: Int64
    }

    /// Reads what was measured of a catalogue's songs; nil when that is what it was at `known`.
    ///
    /// - Isolation: the global executor.
    @concurrent
    package static func read(
        _ library: Library, of catalogue: SongCatalogue, unless known: Stamp?
    ) async throws -> (space: SoundSpace, stamp: Stamp)? {
        try await library.read { database in
            let stamp = Stamp(
                generation: catalogue.generation,
                measured: try database.integer("SELECT count(*) FROM analysis WHERE tries = 0"),
                newest: try database.integer("SELECT max(made) FROM analysis"))
            if stamp == known { return nil }
            let rows = try SQLStatement(
                database,
                "SELECT song, vector FROM analysis WHERE tries = 0 AND version = (SELECT max(version) FROM analysis)")
            var vectors: [(slot: Int, vector: [Float])] = []
            try rows.forEach {
                guard let slot = catalogue.slot(of: SongID(rawValue: rows.int(0))) else { return }
                let bytes = rows.bytes(1)
                guard bytes.count >= 4 else { return }
                vectors.append(
                    (slot, (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }))
            }
            return (SoundSpace(slots: catalogue.count, vectors), stamp)
        }
    }
}
