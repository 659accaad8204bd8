import GRDB
import MusicModel

/// The tags of songs that a cue sheet hides, which stand apart from the values that searches and lists come upon.
struct HiddenTags {
    private let row: SQLStatement
    private let insertion: SQLStatement
    private let deletion: SQLStatement

    init(_ database: Database) throws {
        row = try SQLStatement(database, "SELECT tags FROM hidden_song WHERE id = ?")
        insertion = try SQLStatement(database, "INSERT OR REPLACE INTO hidden_song (id, tags) VALUES (?, ?)")
        deletion = try SQLStatement(database, "DELETE FROM hidden_song WHERE id = ?")
    }

    /// The tags of a song; nil for one that is not hidden.
    func tags(of song: Int64) throws -> [TagValue]? { try row.first(song) { TagPairs.decode($0.bytes(0)) } }

    func write(_ tags: [TagValue], of song: Int64) throws { try insertion.run(song, TagPairs.encode(tags)) }

    func remove(_ song: Int64) throws { try deletion.run(song) }
}
