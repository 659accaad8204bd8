import Foundation
package import MusicModel
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
    /// The path of the token of Navidrome's own API.
    package var session: String { path + "/session" }

    /// The path of the folder with links to network storages.
    package var storages: String { path + "/storages" }

    /// Creates the folder if it is missing and checks that it can be written.
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
        guard access(path, W_OK | X_OK) == 0 else { throw Self.unwritable(path, errno) }
    }

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

    deinit { lock.withLock { if $0 >= 0 { close($0) } } }

    /// Takes the lock that only one serving process may hold; false when another one has it.
    package func takeLock() throws -> Bool {
        let descriptor = open(path + "/segue.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.unwritable(path, errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return false
        }
        lock.withLock { $0 = descriptor }
        return true
    }
}

/// Writes files that only their owner can read.
package enum PrivateFile {
    /// Writes a file; an old one is replaced at once or not at all. `prepare` gives the new one other rights.
    package static func write(
        _ text: String, to path: String, prepare: (_ temporary: String) -> Void = { _ in }
    ) throws {
        let temporary = path + ".new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StateFileError("can't write \(temporary): \(String(cString: strerror(errno)))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(text.utf8))
            try handle.synchronize()
        } catch { throw StateFileError("can't write \(temporary): \(systemMessage(error))", cause: error) }
        prepare(temporary)
        guard rename(temporary, path) == 0 else {
            throw StateFileError("can't write \(path): \(String(cString: strerror(errno)))")
        }
    }
}

/// The error of a file or folder of the state, with the cause and the cure in one line.
package struct StateFileError: ChainedError {
    /// The line.
    package let message: String
    package let origin: ErrorOrigin

    /// Makes an error from a line that names the cause and the cure.
    package init(_ message: String, cause: (any Error)? = nil, file: StaticString = #fileID, line: UInt = #line) {
        self.message = message
        origin = ErrorOrigin(cause, file: file, line: line)
    }

    /// The line.
    package var description: String { message }
}

/// The system's own words for a failed file operation, without Foundation's decoration.
package func systemMessage(_ error: any Error) -> String {
    let error = error as NSError
    if let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError, underlying.domain == NSPOSIXErrorDomain {
        return String(cString: strerror(Int32(underlying.code)))
    }
    return error.domain == NSPOSIXErrorDomain
        ? String(cString: strerror(Int32(error.code))) : error.localizedDescription
}

/// All that Segue has stored on this machine.
package struct StoredData {
    private let stateDirectory: String
    private let cacheDirectory: String
    /// Everything that is there.
    package let items: [StoredItem]

    /// Looks into both directories.
    package init(stateDirectory: String, cacheDirectory: String) {
        (self.stateDirectory, self.cacheDirectory) = (stateDirectory, cacheDirectory)
        let state = Self.stateFiles.map { StoredItem(stateDirectory + "/" + $0) }
        let cache = Self.cacheFolders.map { StoredItem(cacheDirectory + "/" + $0) }
        items = (state + cache).filter(\.exists)
    }

    private static let credentials = "credentials.toml"
    /// The files that Segue puts into its state directory, the lock last.
    private static let stateFiles = [
        credentials, "credentials.toml.new", "session", "session.new", "segue.db", "segue.db-wal", "segue.db-shm",
        "segue.db-edits", "segue.lock",
    ]
    private static let cacheFolders = ["tracks", "covers", "lyrics", "pictures", "demo"]

    /// True if it includes a token for the server.
    package var hasCredentials: Bool { items.contains { $0.path.hasSuffix("/" + Self.credentials) } }

    /// Removes it, and the directories unless there is something else in them.
    package func remove() throws {
        for item in items { try item.remove() }
        rmdir(cacheDirectory)
        rmdir(stateDirectory)
    }
}

/// A file or a folder of Segue's.
package struct StoredItem {
    /// Where it is.
    package let path: String

    fileprivate init(_ path: String) { self.path = path }

    /// Also for a link to nowhere, which has to go as well.
    fileprivate var exists: Bool { (try? FileManager.default.attributesOfItem(atPath: path)) != nil }

    /// Its size, with all that is in it.
    package var shownSize: String {
        let size = byteCount
        let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        guard let (name, unit) = units.first(where: { size >= $0.1 }) else { return "\(size) bytes" }
        return String(format: "%.1f %@", Double(size) / Double(unit), name)
    }

    private var byteCount: Int {
        let files = FileManager.default
        guard let attributes = try? files.attributesOfItem(atPath: path) else { return 0 }
        guard attributes[.type] as? FileAttributeType == .typeDirectory else { return attributes[.size] as? Int ?? 0 }
        return (files.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).reduce(0) { sum, name in
            sum + ((try? files.attributesOfItem(atPath: "\(path)/\(name)"))?[.size] as? Int ?? 0)
        }
    }

    fileprivate func remove() throws {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch { throw StateFileError("can't remove \(path): \(systemMessage(error))", cause: error) }
    }
}
