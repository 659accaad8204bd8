/// Browsing by folders, as old servers show songs that belong to no album.
extension SubsonicClient {
    /// The content of a folder.
    package struct Folder: Hashable, Sendable {
        /// The ids of the folders in it.
        package var folders: [String] = []
        /// All that can be heard and lies directly in it.
        package var songs: [SubsonicSong] = []

        /// An empty one.
        package init() {}
    }

    /// The folders at the top, and the songs that lie in none.
    ///
    /// - Throws: `SubsonicError`; `isAbsence` of servers that don't show folders.
    package func topFolders() async throws -> Folder {
        try await value(SubsonicCall(name: "getIndexes"), "indexes") { (reader) throws(JSONProblem) in
            var folder = Folder()
            try reader.members { (reader, name) throws(JSONProblem) in
                if name.elementsEqual("index".utf8) {
                    try reader.elements { (reader) throws(JSONProblem) in try folder.addIndex(&reader) }
                } else {
                    try folder.addMember(name, &reader)
                }
            }
            return folder
        } ?? Folder()
    }

    /// A folder; nil where there is none.
    package func folder(id: String) async throws -> Folder? {
        do {
            let call = SubsonicCall(name: "getMusicDirectory", parameters: [("id", id)])
            return try await value(call, "directory") { (reader) throws(JSONProblem) in
                var folder = Folder()
                try reader.members { (reader, name) throws(JSONProblem) in try folder.addMember(name, &reader) }
                return folder
            }
        } catch let error as SubsonicError where error.code == .notFound { return nil }
    }
}

extension SubsonicClient.Folder {
    /// Reads a letter of the index.
    fileprivate mutating func addIndex(_ reader: inout JSONReader) throws(JSONProblem) {
        try reader.members { (reader, name) throws(JSONProblem) in
            guard name.elementsEqual("artist".utf8) else { return try reader.skip() }
            try reader.elements { (reader) throws(JSONProblem) in
                if let id = try reader.id() { folders.append(id) }
            }
        }
    }

    /// Reads what lies in it.
    fileprivate mutating func addMember(
        _ name: UnsafeRawBufferPointer, _ reader: inout JSONReader
    ) throws(JSONProblem) {
        guard name.elementsEqual("child".utf8) else { return try reader.skip() }
        try reader.elements { (reader) throws(JSONProblem) in
            var second = reader
            let kind = try second.folderChild()
            if kind.isFolder {
                if let id = try reader.id() { folders.append(id) }
            } else if let song = try SubsonicSong(&reader), !kind.isVideo {
                songs.append(song)
            }
        }
    }
}

extension JSONReader {
    /// Reads whether an entry of a folder is one itself, or a film.
    fileprivate mutating func folderChild() throws(JSONProblem) -> (isFolder: Bool, isVideo: Bool) {
        var (isFolder, isVideo) = (false, false)
        try members { (reader, name) throws(JSONProblem) in
            if name.elementsEqual("isDir".utf8) {
                isFolder = try reader.bool() ?? false
            } else if name.elementsEqual("isVideo".utf8) {
                isVideo = try reader.bool() ?? false
            } else {
                try reader.skip()
            }
        }
        return (isFolder, isVideo)
    }
}
