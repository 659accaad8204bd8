import GRDB
import LibraryIndex
import MusicModel

/// How far the measuring of songs is, and what can't be measured.
package struct AnalysisReport: Codable, Hashable, Sendable {
    /// A song that can't be measured.
    package struct Failure: Codable, Hashable, Sendable {
        /// As clients name the song.
        package var path: String
        /// Why not, as the decoder or the server says.
        package var reason: String
        /// How often it was tried.
        package var tries: Int
    }

    private static let maxFailures = 1000
    /// The rate is that of the last hour in which songs were measured.
    private static let hour: Int64 = 3600

    /// How many songs of the library can be measured: files of this machine and of the server.
    package var songs = 0
    /// How many of them were measured.
    package var measured = 0
    /// How many failed as often as they are tried.
    package var failed = 0
    /// Songs measured in an hour, by the last one in which some were; nil for less than two songs.
    package var perHour: Double?
    /// Hours that the rest takes at that rate; nil where the rate is not known.
    package var hoursLeft: Double?
    /// Songs that failed, the last ones first; those with fewer tries are tried again.
    package var failures: [Failure] = []

    /// Reads a database that a server may be using: what this version or a newer one measured, trying each song so
    /// often.
    /// - Throws: `LibraryError`, also when another version of Segue wrote the database.
    package static func read(path: String, version: Int64, tries: Int) throws -> AnalysisReport {
        try LibraryDatabase.inspect(path, cure: "start that one first") { try AnalysisReport($0, version, tries) }
    }

    private init(_ database: Database, _ version: Int64, _ tries: Int) throws {
        var latest: Int64?
        try database.forEach(
            """
            SELECT count(*), count(*) FILTER (WHERE a.tries = 0), count(*) FILTER (WHERE a.tries >= ?2),
                max(a.made) FILTER (WHERE a.tries = 0)
            FROM song s LEFT JOIN analysis a ON a.song = s.id AND a.version >= ?1 AND a.size IS s.size
            WHERE s.walk IS NOT NULL AND s.source_kind IN (0, 1, 2)
            """, version, tries
        ) { row in
            (songs, measured) = (Int(clamping: row.int(0)), Int(clamping: row.int(1)))
            failed = Int(clamping: row.int(2))
            latest = row.optionalInt(3)
        }
        if let latest { try readRate(database, version, latest) }
        try readFailures(database, version)
    }

    private mutating func readRate(_ database: Database, _ version: Int64, _ latest: Int64) throws {
        guard
            let (count, first) = try database.first(
                "SELECT count(*), min(made) FROM analysis WHERE tries = 0 AND version >= ? AND made > ?", version,
                latest.subtractingClamped(Self.hour), read: { ($0.int(0), $0.int(1)) }), count > 1
        else { return }
        let seconds = Double(max(latest.subtractingClamped(first), 1))
        perHour = Double(count - 1) / seconds * Double(Self.hour)
        hoursLeft = perHour.map { Double(max(songs - measured - failed, 0)) / max($0, 1e-3) }
    }

    private mutating func readFailures(_ database: Database, _ version: Int64) throws {
        try database.forEach(
            """
            SELECT s.uri, a.problem, a.tries FROM analysis a JOIN song s ON s.id = a.song AND a.size IS s.size
            WHERE a.tries > 0 AND a.version >= ? AND s.uri IS NOT NULL ORDER BY a.made DESC, s.uri LIMIT ?
            """, version, Self.maxFailures
        ) { row in
            failures.append(
                Failure(
                    path: row.text(0), reason: row.optionalText(1) ?? "unknown", tries: Int(clamping: row.int(2))))
        }
    }
}
