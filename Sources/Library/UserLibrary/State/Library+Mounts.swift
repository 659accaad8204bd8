import GRDB
import LibraryIndex

extension Library {
    /// The folders that clients have mounted, by the names of their mounts.
    package func savedMounts() throws -> [(name: String, uri: String)] {
        try database.readNow { database in
            let rows = try SQLStatement(database, "SELECT name, uri FROM mount ORDER BY name")
            var mounts: [(name: String, uri: String)] = []
            try rows.forEach { mounts.append((rows.text(0), rows.text(1))) }
            return mounts
        }
    }

    /// Keeps a mount.
    @concurrent
    package func addMount(_ name: String, uri: String) async throws {
        try await write { database in
            let insertion = try SQLStatement(database, "INSERT OR REPLACE INTO mount (name, uri) VALUES (?, ?)")
            insertion.bind(1, name)
            insertion.bind(2, uri)
            try insertion.run()
        }
    }

    /// Forgets a mount.
    @concurrent
    package func removeMount(_ name: String) async throws {
        try await write { database in
            let deletion = try SQLStatement(database, "DELETE FROM mount WHERE name = ?")
            deletion.bind(1, name)
            try deletion.run()
        }
    }
}
