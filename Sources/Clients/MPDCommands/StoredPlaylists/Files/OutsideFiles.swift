/// Reads what isn't in the index: playlists of the music folder and of web servers, and the music folder's listings.
///
/// Implemented in the program, because commands know neither files nor HTTP.
package protocol OutsideFiles: AnyObject, Sendable {
    /// The bytes of a playlist of this machine, by its absolute path; nil where there is no such file.
    ///
    /// - Parameter ofLibrary: whether it lies in a music folder, which links of playlists don't leave; one of another
    ///   place has been asked for by a client that may read it.
    /// - Throws: `AckError` for one that can't be read or is too large.
    func playlist(file path: String, ofLibrary: Bool) async throws -> [UInt8]?
    /// A playlist of a web server; nil where there is none.
    ///
    /// - Parameter limit: the most bytes of a playlist that has this type and stands at this URL, which a redirection
    ///   may have named; nil for what is none, and is not read.
    /// - Throws: `AckError`, whose text never has a part of the URL: 4 for a server in a private network that the
    ///   configuration doesn't name, 5 or 52 for one that doesn't answer as it should.
    func playlist(
        url: String, limit: @escaping @Sendable (_ mimeType: String?, _ url: String) -> Int?
    ) async throws -> RemotePlaylist?
    /// Tells that a playlist of this machine names files that were found nowhere.
    func note(missing: [String], of playlist: String)
    /// The contents of a folder by its absolute path, in the order of the names; nil where there is no such folder.
    func contents(folder path: String) async throws -> [FolderEntry]?
}

/// A web server's answer to a request for a playlist.
package struct RemotePlaylist: Sendable {
    /// The playlist.
    package var bytes: [UInt8]
    /// The type that the server announces.
    package var mimeType: String?
    /// Where it stands, after all redirections.
    package var url: String

    /// Collects an answer.
    package init(bytes: [UInt8], mimeType: String?, url: String) {
        self.bytes = bytes
        self.mimeType = mimeType
        self.url = url
    }
}

/// A file or a folder in a folder.
package struct FolderEntry: Hashable, Sendable {
    /// The last part of its path.
    package var name: String
    /// Its size in bytes; nil for a folder.
    package var size: Int64?
    /// When it changed, in Unix seconds.
    package var modified: Int64

    /// Describes a file or, without a size, a folder.
    package init(name: String, size: Int64?, modified: Int64) {
        self.name = name
        self.size = size
        self.modified = modified
    }
}
