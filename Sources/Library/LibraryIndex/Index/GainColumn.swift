import GRDB
import MusicModel

/// The loudness values of all songs, read when many enter the queue at once; nothing where no song has any.
final class GainColumn: Sendable {
    /// Track gain, track peak, album gain, album peak; NaN is unknown.
    private let values: [SIMD4<Double>]

    init(_ database: Database, songCapacity: Int) throws {
        var values: [SIMD4<Double>] = []
        try database.forEach(
            """
            SELECT id, track_gain, track_peak, album_gain, album_peak FROM song
            WHERE coalesce(track_gain, track_peak, album_gain, album_peak) IS NOT NULL
            """
        ) { row in
            if values.isEmpty { values = Array(repeating: SIMD4(repeating: .nan), count: songCapacity) }
            guard (0..<Int64(songCapacity)).contains(row.int(0)) else { return }
            for index in 0..<4 { values[Int(row.int(0))][index] = row.optionalDouble(Int32(index) + 1) ?? .nan }
        }
        self.values = values
    }

    func gain(of song: UInt32) -> ReplayGain {
        guard Int(song) < values.count else { return ReplayGain() }
        let value = values[Int(song)]
        func known(_ value: Double) -> Double? { value.isNaN ? nil : value }
        return ReplayGain(
            trackGain: known(value[0]), trackPeak: known(value[1]), albumGain: known(value[2]),
            albumPeak: known(value[3]))
    }
}
