import Foundation
import GRDB
import LibraryIndex
package import MusicModel
import Synchronization

/// The measurements of a song's sound; what can't be told is nil.
package struct SongFeatures: Hashable, Sendable {
    /// Integrated loudness in LUFS; nil for silence.
    package var loudness: Double?
    /// Loudness range in LU.
    package var range: Double?
    /// The largest sample, as a factor of full scale.
    package var peak: Double?
    /// Beats a minute.
    package var tempo: Double?
    /// How clear the beat is, from 0 to 1.
    package var tempoConfidence: Double?
    /// The key as musicians write it, such as `Am`.
    package var key: String?
    /// How lively it sounds, from 0 to 1.
    package var energy: Double?
    /// How loud its beginning and end are; empty for silence.
    package var ramps = MixRampTags()
    /// When beats sound at its beginning and its end.
    package var beats = SongBeats()
    /// Numbers by which sounds are compared; empty where there are none.
    package var vector: [Float] = []

    /// Knows nothing.
    package init() {}

    var finite: SongFeatures {
        var features = self
        for value in [
            \SongFeatures.loudness, \.range, \.peak, \.tempo, \.tempoConfidence, \.energy,
        ] where features[keyPath: value].map({ !$0.isFinite }) ?? false { features[keyPath: value] = nil }
        if !vector.allSatisfy(\.isFinite) { features.vector = [] }
        return features
    }
}

extension Library {
    /// The loudness to which songs are brought, in LUFS: ReplayGain's 89 dB.
    private static let referenceLoudness = -18.0

    /// True if a song was not measured by this version or a newer one yet, and is worth a try.
    package func needsAnalysis(_ song: SongID, version: Int64, tries: Int) async throws -> Bool {
        try await read { database in
            try !database.has(
                """
                SELECT 1 FROM analysis a JOIN song s ON s.id = a.song
                WHERE a.song = ? AND a.version >= ? AND a.size IS s.size AND (a.tries = 0 OR a.tries >= ?)
                """, song.rawValue, version, tries)
        }
    }

    /// At most `count` songs that were not measured by this version yet, or whose file was replaced. Starred ones come
    /// first, then those that were heard, then one of each folder, then others; at the end those that failed before.
    package func songsForAnalysis(version: Int64, tries: Int, count: Int) async throws -> [SongID] {
        try await database.rows(
            """
            SELECT s.id FROM song s LEFT JOIN analysis a ON a.song = s.id AND a.version >= ?1 AND a.size IS s.size
            LEFT JOIN song_mark m ON m.song = s.id
            WHERE s.walk IS NOT NULL AND s.source_kind IN (0, 1, 2)
                AND (a.song IS NULL OR a.tries BETWEEN 1 AND ?2 - 1)
            ORDER BY a.tries IS NOT NULL, coalesce(m.starred, 0) = 0, coalesce(m.plays, 0) DESC,
                s.walk NOT IN (SELECT min(walk) FROM song WHERE walk IS NOT NULL GROUP BY directory), s.walk
            LIMIT ?3
            """, version, tries, count
        ) { SongID(rawValue: $0.int(0)) }
    }

    /// Keeps what was measured, also in the song's stickers `loudness`, `tempo`, `energy` and `key`.
    package func keepAnalysis(_ features: SongFeatures, of song: SongID, version: Int64) async throws {
        let (features, now) = (features.finite, UnixTime.seconds)
        try await write { database in
            try database.run(
                """
                INSERT OR REPLACE INTO analysis
                (song, version, made, size, tries, loudness, range, peak, tempo, confidence, key, energy, vector, ramp_start,
                    ramp_end, beats_start, beats_end)
                SELECT id, ?2, ?3, size, 0, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15 FROM song WHERE id = ?1
                """, song.rawValue, version, now, features.loudness, features.range, features.peak, features.tempo,
                features.tempoConfidence, features.key, features.energy, features.vector.withUnsafeBytes { Array($0) },
                features.ramps.start, features.ramps.end, features.beats.head?.text, features.beats.tail?.text)
            let stickers = StickerStore(database)
            for (name, value) in features.stickers { _ = try stickers.set(name, of: .song(song), to: value) }
        }
        measurements.add(1, ordering: .relaxed)
    }

    /// A number that moves when this process writes what was measured of a song.
    package var measurementGeneration: Int { measurements.load(ordering: .relaxed) }

    /// Notes that a song's file could not be measured, and why, unless an earlier version measured it; true if it did.
    @discardableResult
    package func noteFailedAnalysis(of song: SongID, version: Int64, because reason: String) async throws -> Bool {
        let (now, reason) = (UnixTime.seconds, reason.prefix(utf8: 300))
        let isNoted = try await write { database in
            try database.run(
                """
                INSERT INTO analysis (song, version, made, size, tries, problem)
                SELECT id, ?2, ?3, size, 1, ?4 FROM song WHERE id = ?1
                ON CONFLICT (song) DO UPDATE SET made = ?3, size = excluded.size, problem = ?4,
                    tries = CASE WHEN version = ?2 AND size IS excluded.size THEN tries + 1 ELSE 1 END, version = ?2
                    WHERE tries > 0 OR size IS NOT excluded.size
                """, song.rawValue, version, now, reason)
            return database.changesCount > 0
        }
        measurements.add(1, ordering: .relaxed)
        return isNoted
    }

    /// A song's gain by what was measured of it alone, without its album's; nil where nothing was.
    package func measuredGain(ofSongAlone song: SongID) async throws -> ReplayGain? {
        try await database.first(
            """
            SELECT a.loudness, a.peak FROM analysis a JOIN song s ON s.id = a.song
            WHERE a.song = ? AND a.tries = 0 AND a.size IS s.size AND a.loudness IS NOT NULL
            """, song.rawValue
        ) { row in
            ReplayGain(
                trackGain: row.optionalDouble(0).map { Self.referenceLoudness - $0 },
                trackPeak: row.optionalDouble(1))
        }
    }

    /// Gains by what was measured: of one song with those of its album, or of all songs.
    package func measuredGains(of song: SongID? = nil) async throws -> [SongID: ReplayGain] {
        try await read { database in
            let title = try song.map { try Self.albumTitle(of: $0, database) }
            let rows = try SQLStatement(
                database,
                """
                SELECT s.id, s.directory, s.duration, a.loudness, a.peak, s.tags, a.song FROM song s
                LEFT JOIN analysis a ON a.song = s.id AND a.tries = 0 AND a.size IS s.size
                WHERE s.walk IS NOT NULL
                    AND \(song == nil ? "1" : "s.id IN (SELECT ?1 UNION SELECT song FROM song_value WHERE value = ?2)")
                """)
            if let song {
                rows.bind(1, song.rawValue)
                rows.bind(2, title ?? nil)
            }
            var (albums, parts) = (try AlbumGroups(database), [Int: AlbumLoudness]())
            var measured: [(song: SongID, album: Int?, loudness: Double, peak: Double?)] = []
            var wanted: Int?
            try rows.forEach { row in
                let id = SongID(rawValue: row.int(0))
                let album = try albums.number(TagList.decode(row.bytes(5)), directory: row.int(1))
                if id == song { wanted = album }
                let (loudness, peak) = (row.optionalDouble(3), row.optionalDouble(4))
                if let album {
                    parts[album, default: AlbumLoudness()].add(
                        loudness, peak, length: row.int(2), isMeasured: !row.isNull(6))
                }
                if let loudness { measured.append((id, album, loudness, peak)) }
            }
            var whole: [Int: AlbumLoudness] = [:]
            for (number, part) in parts.sorted(by: { $0.key < $1.key }) {
                whole[albums.group(number), default: AlbumLoudness()].add(part)
            }
            var gains: [SongID: ReplayGain] = [:]
            for found in measured {
                let group = found.album.map { albums.group($0) }
                // Others have albums of that title, too.
                if song != nil, found.song != song, group != wanted.map({ albums.group($0) }) { continue }
                let album = group.flatMap { whole[$0]?.value }
                gains[found.song] = ReplayGain(
                    trackGain: Self.referenceLoudness - found.loudness, trackPeak: found.peak,
                    albumGain: album.map { Self.referenceLoudness - $0.loudness }, albumPeak: album?.peak)
            }
            return gains
        }
    }

    /// The number of the title of a song's album; nil where it is on none.
    private static func albumTitle(of song: SongID, _ database: Database) throws -> Int64? {
        try database.first("SELECT tags FROM song WHERE id = ?", song.rawValue) { album($0.bytes(0)) } ?? nil
    }

    /// The measured loudness of a song's beginning and end; nil without any, or while the database is busy.
    package func measuredRamps(of song: SongID) -> MixRampTags? {
        measured("ramp_start, ramp_end", of: song) {
            MixRampTags(start: $0.optionalText(0), end: $0.optionalText(1))
        }
    }

    /// The measured beats of a song's beginning and end; nil where nothing was measured, or while the database is busy.
    package func measuredBeats(of song: SongID) -> SongBeats? {
        measured("beats_start, beats_end", of: song) {
            SongBeats(head: BeatGrid($0.optionalText(0)), tail: BeatGrid($0.optionalText(1)))
        }
    }

    private func measured<Value>(
        _ columns: StaticString, of song: SongID, _ read: (SQLStatement) -> Value
    ) -> Value? {
        database.quickly { database -> Value? in
            try database.first(
                """
                SELECT \(columns) FROM analysis a JOIN song s ON s.id = a.song
                WHERE a.song = ? AND a.tries = 0 AND a.size IS s.size
                """, song.rawValue, read: read)
        }
    }

    /// True if a song is the one behind another on the same album; false while the database is busy.
    package func follows(_ next: SongID, on first: SongID) -> Bool {
        let isNext = database.quickly { database -> Bool? in
            try database.first(
                """
                SELECT n.id, n.tags, f.tags FROM song f JOIN song n ON n.walk > f.walk WHERE f.id = ?
                ORDER BY n.walk LIMIT 1
                """, first.rawValue
            ) { row in
                guard row.int(0) == next.rawValue, let album = Self.album(row.bytes(1)) else { return false }
                return album == Self.album(row.bytes(2))
            }
        }
        return isNext ?? false
    }

    private static func album(_ tags: UnsafeRawBufferPointer) -> Int64? {
        TagList.decode(tags).first { $0.tag == .album }?.value
    }
}

/// An album's loudness, once that of all its songs is known.
private struct AlbumLoudness {
    private var energy = 0.0
    private var length = 0.0
    private var peak: Double?
    private var isWhole = true

    /// Adds a song; one of silence takes no part.
    mutating func add(_ loudness: Double?, _ peak: Double?, length milliseconds: Int64, isMeasured: Bool) {
        guard let loudness else {
            isWhole = isWhole && isMeasured
            return
        }
        let seconds = Double(max(milliseconds, 1))
        energy += seconds * pow(10, loudness / 10)
        length += seconds
        if let peak { self.peak = max(peak, self.peak ?? 0) }
    }

    mutating func add(_ other: AlbumLoudness) {
        energy += other.energy
        length += other.length
        isWhole = isWhole && other.isWhole
        if let peak = other.peak { self.peak = max(peak, self.peak ?? 0) }
    }

    var value: (loudness: Double, peak: Double?)? {
        guard isWhole, length > 0, energy > 0 else { return nil }
        return (10 * log10(energy / length), peak)
    }
}

extension SongFeatures {
    fileprivate var stickers: [(String, String)] {
        func text(_ value: Double?, _ digits: Int) -> String? { value.map { String(format: "%.\(digits)f", $0) } }
        let all: [(String, String?)] = [
            ("loudness", text(loudness, 1)), ("tempo", text(tempo, 1)), ("energy", text(energy, 2)), ("key", key),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }
}
