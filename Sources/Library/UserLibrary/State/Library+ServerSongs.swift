import GRDB
import LibraryIndex
package import MusicModel

extension Library {
    /// Songs by the ids that they have on the server, with the values of these; those that are not in the library are
    /// left out.
    @concurrent
    package func songs(onServer values: [String: Float], mount: String) async throws -> [SongID: Float] {
        try await read { database in
            let row = try SQLStatement(
                database, "SELECT id FROM song WHERE source_id = ? AND mount = ? AND walk IS NOT NULL")
            var songs: [SongID: Float] = [:]
            for (id, value) in values {
                if let song = try row.first(id, mount, read: { SongID(rawValue: $0.int(0)) }) { songs[song] = value }
            }
            return songs
        }
    }
}
