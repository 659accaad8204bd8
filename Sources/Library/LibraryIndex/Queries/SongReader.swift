package import GRDB
package import MusicModel

/// Reads songs as values.
package struct SongReader {
    private let database: Database
    private let songRow: SQLStatement
    private let textRow: SQLStatement
    private let goneRow: SQLStatement?

    /// Reads inside the caller's transaction; `alsoGone` reads songs that are gone as they were last.
    package init(_ database: Database, alsoGone: Bool = false) throws {
        self.database = database
        goneRow = alsoGone ? try SQLStatement(database, Self.gone) : nil
        songRow = try SQLStatement(database, "SELECT \(Self.columns) FROM song WHERE id = ? AND uri IS NOT NULL")
        textRow = try SQLStatement(database, "SELECT text FROM value WHERE id = ?")
    }

    private static let columns = """
        id, uri, duration, modified, added, sample_rate, sample, channels, track_gain, track_peak, album_gain, \
        album_peak, tags, source_kind, ifnull(source_value, source_id), walk IS NULL, \
        CASE WHEN whole IS NOT NULL THEN
            (SELECT w.uri FROM song w WHERE w.source_id = song.whole AND w.mount = song.mount) END
        """

    private static let gone = """
        SELECT s.id, g.uri, s.duration, g.modified, g.added, s.sample_rate, s.sample, s.channels, s.track_gain,
            s.track_peak, s.album_gain, s.album_peak, g.tags, s.source_kind, ifnull(s.source_value, s.source_id), 1, NULL
        FROM gone_song g JOIN song s ON s.id = g.id WHERE g.id = ?
        """

    func song(_ id: Int64) throws -> Song? {
        var texts: [Int64: String] = [:]
        return try song(id, &texts)
    }

    /// The songs of these numbers; nil for those that are gone.
    package func songs(_ ids: [Int64]) throws -> [Song?] {
        var texts: [Int64: String] = [:]
        return try ids.map { id in
            // Artists, albums and genres come again and again; titles don't, so the cache is thrown away now and then.
            if texts.count > 4096 { texts.removeAll(keepingCapacity: true) }
            return try song(id, &texts)
        }
    }

    private func song(_ id: Int64, _ texts: inout [Int64: String]) throws -> Song? {
        let row = try songRow.first(id) { (song($0), TagList.decode($0.bytes(12)), $0.int(15) != 0) }
        guard let (found, items, isHidden) = row else { return try goneSong(id) }
        var complete = found
        // Searches and lists don't come upon these tags, which stand apart.
        let hidden =
            isHidden
            ? try database.first("SELECT tags FROM hidden_song WHERE id = ?", id) { TagPairs.decode($0.bytes(0)) } : nil
        complete.tags = try hidden ?? items.map { TagValue($0.tag, try text($0.value, &texts)) }
        return complete
    }

    private func goneSong(_ id: Int64) throws -> Song? {
        guard let goneRow else { return nil }
        return try goneRow.first(id) { row in
            var gone = song(row)
            gone.tags = TagPairs.decode(row.bytes(12))
            return gone
        }
    }

    private func song(_ row: SQLStatement) -> Song {
        let format = row.optionalInt(5).map {
            AudioFormat(sampleRate: Int($0), sample: AudioFormat.Sample(code: row.int(6)), channels: Int(row.int(7)))
        }
        return Song(
            id: SongID(rawValue: row.int(0)), uri: row.text(1),
            duration: row.optionalInt(2).map { .milliseconds($0) }, lastModified: row.optionalInt(3),
            added: row.optionalInt(4), format: format, replayGain: row.replayGain(8),
            range: row.int(13) >= 2 ? SongSource(kind: row.int(13), value: row.text(14)).range : nil,
            wholeURI: row.optionalText(16))
    }

    func tags(_ items: [TagList.Item]) throws -> [TagValue] {
        var texts: [Int64: String] = [:]
        return try items.map { TagValue($0.tag, try text($0.value, &texts)) }
    }

    private func text(_ value: Int64, _ texts: inout [Int64: String]) throws -> String {
        if let text = texts[value] { return text }
        let text = try textRow.first(value) { $0.text(0) } ?? ""
        texts[value] = text
        return text
    }
}

extension SQLStatement {
    func replayGain(_ index: Int32) -> ReplayGain {
        ReplayGain(
            trackGain: optionalDouble(index), trackPeak: optionalDouble(index + 1),
            albumGain: optionalDouble(index + 2), albumPeak: optionalDouble(index + 3))
    }
}
