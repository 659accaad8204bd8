/// Browsing by folders, as old servers show songs that belong to no album.
extension SubsonicClient {
    /// The content of a folder: the ids of the folders in it, and all that can be heard and lies directly in it.
    package struct Folder: Hashable, Sendable {
        /// Their ids.
        package var folders: [String] = []
        /// Without films.
        package var songs: [SubsonicSong] = []

        /// An empty one.
        package init() {}
    }

    /// The folders at the top, and the songs that lie in none.
    /// - Throws: `SubsonicError`; `isAbsence` of servers that don't show folders.
    package func topFolders() async throws -> Folder {
        try await value(SubsonicCall("getIndexes"), "indexes") ?? Folder()
    }

    /// A folder; nil where there is none.
    package func folder(id: String) async throws -> Folder? {
        try await ifFound { try await value(SubsonicCall("getMusicDirectory", ["id": id]), "directory") }
    }
}

extension SubsonicClient.Folder: JSONReadable {
    init(_ reader: inout JSONReader) throws {
        try reader.members { reader, name in
            switch name {
            case "index":
                try reader.elements { reader in
                    try reader.member("artist") { reader in folders += try reader.list { try $0.id() } }
                }
            case "child": try reader.elements { try readChild(&$0) }
            default: try reader.skip()
            }
        }
    }

    private mutating func readChild(_ reader: inout JSONReader) throws {
        var second = reader
        var (isFolder, isVideo) = (false, false)
        try second.members { reader, name in
            switch name {
            case "isDir": isFolder = try reader.bool() ?? false
            case "isVideo": isVideo = try reader.bool() ?? false
            default: try reader.skip()
            }
        }
        if isFolder {
            if let id = try reader.id() { folders.append(id) }
        } else if let song = try SubsonicSong(&reader), !isVideo {
            songs.append(song)
        }
    }
}
