import GRDB
import LibraryIndex

extension Library {
    /// The folders that clients have mounted, by the names of their mounts.
    package func savedMounts() throws -> [(name: String, uri: String)] {
        try database.readNow { database in
            try database.rows("SELECT name, uri FROM mount ORDER BY name") { ($0.text(0), $0.text(1)) }
        }
    }

    /// Keeps a mount.
    @concurrent
    package func addMount(_ name: String, uri: String) async throws {
        try await write { try $0.run("INSERT OR REPLACE INTO mount (name, uri) VALUES (?, ?)", name, uri) }
    }

    /// Forgets a mount.
    @concurrent
    package func removeMount(_ name: String) async throws {
        try await write { try $0.run("DELETE FROM mount WHERE name = ?", name) }
    }
}
