import GRDB
import LibraryIndex

extension Library {
    /// How many plays, and how many edits of marks, playlists and bookmarks, the server does not have yet.
    @concurrent
    package func waitingForServer() async throws -> (plays: Int, edits: Int) {
        try await read { database in
            let plays = try database.integer("SELECT count(*) FROM play")
            // Marks in the state 2 were sent; they stay for a while, until a look at the server has shown them there.
            let edits = try database.integer(
                """
                SELECT (SELECT count(*) FROM mark_edit WHERE state <> 2)
                    + (SELECT count(*) FROM playlist WHERE edited IS NOT NULL)
                    + (SELECT count(*) FROM bookmark WHERE waits)
                """)
            return (Int(clamping: plays), Int(clamping: edits))
        }
    }
}
