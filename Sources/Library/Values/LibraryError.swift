import GRDB

/// A failure of the index that a client caused or must hear of.
public struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public enum Code: Hashable, Sendable {
        case noSuchDirectory, noSuchSong, noSuchPlaylist, playlistExists, badPlaylistName, playlistReadOnly
        case badPosition, badExpression, noSuchSticker
        /// Another process holds the database.
        case busy
        /// The file is no database, or a damaged one.
        case corrupt
        /// The file or its directory can't be written, or the disk is full.
        case unwritable
        /// A later version of Segue wrote the file.
        case newerVersion
    }

    /// What went wrong.
    public var code: Code
    /// One line for people, with the cure where there is one.
    public var message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension LibraryError {
    /// Says what a failure of SQLite means for the file at `path`.
    init(_ error: DatabaseError, path: String) {
        switch error.resultCode.primaryResultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.busy, "The database \(path) is in use by another process; stop the other Segue first.")
        case .SQLITE_NOTADB:
            self.init(.corrupt, "\(path) is not a database; move the file away or choose another state directory.")
        case .SQLITE_CORRUPT:
            self.init(.corrupt, "The database \(path) is damaged; move it away, and the next sync builds a new one.")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_CANTOPEN:
            self.init(
                .unwritable, "Can't write the database \(path); check that the state directory belongs to this user.")
        case .SQLITE_FULL:
            self.init(.unwritable, "The disk with the database \(path) is full; make room.")
        case .SQLITE_IOERR:
            self.init(.unwritable, "The disk with the database \(path) reports errors: \(error.message ?? "unknown").")
        default:
            self.init(.corrupt, "The database \(path) failed: \(error.message ?? "\(error.resultCode)").")
        }
    }
}
