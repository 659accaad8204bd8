import Foundation
package import GRDB
import Glibc
package import MusicModel

/// A failure of the index that a client caused or must hear of.
package struct LibraryError: ChainedError, Hashable, Sendable {
    /// The kinds of error.
    package enum Code: Hashable, Sendable {
        case noSuchDirectory, noSuchSong, noSuchPlaylist, playlistExists, badPlaylistName, playlistReadOnly
        case badPosition, badExpression, noSuchSticker
        case playlistTooLarge
        case answerTooLarge
        case busy
        case corrupt
        case unwritable
        case diskFull
        case otherVersion
    }

    /// The kind of error.
    package var code: Code
    /// One line for people, with the cure where there is one.
    package var message: String
    package private(set) var origin: ErrorOrigin

    /// Makes an error.
    package init(
        _ code: Code, _ message: String, cause: (any Error)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        (self.code, self.message) = (code, message)
        origin = ErrorOrigin(cause, file: file, line: line)
    }

    /// The message.
    package var description: String { message }
}

extension LibraryError {
    /// The database at `path` can't be written: says why if the system tells, and what helps.
    static func unwritable(_ path: String) -> LibraryError {
        let folder = (path as NSString).deletingLastPathComponent
        let candidates = FileManager.default.fileExists(atPath: path) ? [path, folder] : [folder]
        for locked in candidates where access(locked, W_OK) != 0 {
            let (code, reason) = (errno, String(cString: strerror(errno)))
            let cure =
                switch code {
                case EROFS: "mount that file system for writing (mount -o remount,rw)"
                case ENOENT: "create the state directory"
                default: "give \(locked) to the user that Segue runs as (chown)"
                }
            return LibraryError(
                .unwritable,
                "Can't write the database \(path): \(reason). Either \(cure), or set server.state_directory to a folder "
                    + "that this user may write.")
        }
        return LibraryError(
            .unwritable,
            "Can't write the database \(path). Check the permissions of it and of its -wal and -shm files, or set "
                + "server.state_directory to another folder.")
    }

    /// Says what a failure of SQLite means for the file at `path`.
    package init(_ error: DatabaseError, path: String, file: StaticString = #fileID, line: UInt = #line) {
        switch error.resultCode.primaryResultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.busy, "The database \(path) is in use by another process; stop the other Segue first.")
        case .SQLITE_NOTADB:
            self.init(
                .corrupt, "\(path) is not a database. Restart Segue: it keeps the file aside and begins a new one.")
        case .SQLITE_CORRUPT:
            self.init(
                .corrupt,
                "The database \(path) is damaged. Restart Segue: it keeps the file aside and rescues what it can.")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_CANTOPEN:
            self = .unwritable(path)
        case .SQLITE_FULL:
            let folder = (path as NSString).deletingLastPathComponent
            self.init(.diskFull, "The disk with the state directory \(folder) is full; make room there.")
        case .SQLITE_IOERR:
            self.init(.unwritable, "The disk with the database \(path) reports errors: \(error.message ?? "unknown").")
        default:
            self.init(.corrupt, "The database \(path) failed: \(error.message ?? "\(error.resultCode)").")
        }
        origin = ErrorOrigin(error, file: file, line: line)
    }
}
