import Foundation
import Synchronization

/// The folder that holds everything Segue must not lose, locked by the process that serves from it.
package final class StateDirectory: Sendable {
    /// The folder's absolute path.
    package let path: String
    private let lock = Mutex<Int32>(-1)

    /// The database's path.
    package var database: String { path + "/segue.db" }
    /// The stored credentials' path.
    package var credentials: String { path + "/credentials.toml" }
    /// The path of what was set on the page.
    package var settings: String { SettingsFile.path(in: path) }
    /// The path of the token of Navidrome's own API.
    package var session: String { path + "/session" }

    /// The path of the folder with links to network storages.
    package var storages: String { path + "/storages" }

    /// Creates the folder if it is missing and checks that it can be written.
    ///
    /// - Throws: `StateFileError`.
    package init(creating path: String) throws {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StateFileError(
                "can't create the state directory \(path): \(systemMessage(error)). Create it, or set "
                    + "server.state_directory to a folder that you may write.", cause: error)
        }
        guard access(path, W_OK | X_OK) == 0 else {
            throw Self.unwritable(path, errno)
        }
    }

    /// The folder can't be written: says why, and what helps.
    private static func unwritable(_ path: String, _ code: Int32) -> StateFileError {
        let cure =
            switch code {
            case EROFS: "Mount its file system for writing (mount -o remount,rw)"
            case ENOSPC, EDQUOT: "Free space on its disk"
            case EMFILE, ENFILE: "Raise the limit of open files (ulimit -n)"
            default: "Change its owner"
            }
        return StateFileError(
            "can't write to the state directory \(path): \(String(cString: strerror(code))). \(cure), or set "
                + "server.state_directory to a folder that you may write.")
    }

    deinit {
        lock.withLock { if $0 >= 0 { close($0) } }
    }

    /// Takes the lock that only one serving process may hold; false when another one has it.
    package func takeLock() throws -> Bool {
        let descriptor = open(path + "/segue.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Self.unwritable(path, errno)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return false
        }
        lock.withLock { $0 = descriptor }
        return true
    }
}
