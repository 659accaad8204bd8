import Foundation
import GRDB
import LibraryIndex

/// Checks a database without changing it.
package enum DatabaseCheck {
    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(2)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// The addresses and folders that clients have mounted, which may have passwords in them; none where that can't be
    /// read, as `finding` says.
    package static func mounts(in path: String) -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return (try? open(path).read { try String.fetchAll($0, sql: "SELECT uri FROM mount LIMIT 1000") }) ?? []
    }

    /// Checks that the database is whole, and of a version that this program opens; nil if there is none. Some hundred
    /// megabytes take a second.
    package static func finding(at path: String) -> Finding? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            let queue = try open(path)
            let (problems, version) = try queue.read { database in
                (
                    try String.fetchAll(database, sql: "PRAGMA quick_check(3)"),
                    try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
                )
            }
            guard problems == ["ok"] else {
                return Finding(
                    "database", .failure,
                    "\(path) is damaged (\(problems.joined(separator: "; "))). The next start sets it aside, and "
                        + "recovers what can be read.")
            }
            do { try SchemaVersion.check(version, path: path) } catch {
                return Finding("database", .failure, error.message)
            }
            return Finding("database", .ok, "\(path) is whole, schema \(version)")
        } catch { return Finding("database", .failure, "\(path) can't be read: \(error)") }
    }
}
