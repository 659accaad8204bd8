/// Lists of entries, some of which may be unusable.
extension JSONReader {
    /// Reads a list into a page; entries that can't be used are counted.
    ///
    /// - Parameter count: how many entries are taken; more are left out.
    mutating func collect<Item>(
        into page: inout SubsonicPage<Item>, atMost count: Int = .max,
        _ read: (inout JSONReader) throws(JSONProblem) -> Item?
    ) throws(JSONProblem) {
        try elements { (reader) throws(JSONProblem) in
            guard page.received < count else { return try reader.skip() }
            if let item = try read(&reader) { page.items.append(item) } else { page.skipped += 1 }
        }
    }

    /// Reads the id of an object, a text or a number; nil without one.
    mutating func id() throws(JSONProblem) -> String? {
        var id: String?
        try members { (reader, name) throws(JSONProblem) in
            guard name.elementsEqual("id".utf8) else { return try reader.skip() }
            id = try reader.peek() == .number ? try reader.integer().map(String.init) : try reader.nonEmptyText()
        }
        return id
    }

    /// Reads `starred2`.
    mutating func starredItems() throws(JSONProblem) -> StarredItems {
        var artists = SubsonicPage<SubsonicArtist>(items: [])
        var albums = SubsonicPage<SubsonicAlbum>(items: [])
        var songs = SubsonicPage<SubsonicSong>(items: [])
        try members { (reader, name) throws(JSONProblem) in
            if name.elementsEqual("artist".utf8) {
                try reader.collect(into: &artists) { (reader) throws(JSONProblem) in try SubsonicArtist(&reader) }
            } else if name.elementsEqual("album".utf8) {
                try reader.collect(into: &albums) { (reader) throws(JSONProblem) in try SubsonicAlbum(&reader) }
            } else if name.elementsEqual("song".utf8) {
                try reader.collect(into: &songs) { (reader) throws(JSONProblem) in try SubsonicSong(&reader) }
            } else {
                try reader.skip()
            }
        }
        return StarredItems(artists: artists.items, albums: albums.items, songs: songs.items)
    }

    /// Reads `openSubsonicExtensions`: names with their versions.
    mutating func extensions() throws(JSONProblem) -> [String: [Int]] {
        var extensions: [String: [Int]] = [:]
        try elements { (reader) throws(JSONProblem) in
            var extensionName: String?
            var versions: [Int] = []
            try reader.members { (reader, name) throws(JSONProblem) in
                if name.elementsEqual("name".utf8) {
                    extensionName = try reader.nonEmptyText()
                } else if name.elementsEqual("versions".utf8) {
                    try reader.elements { (reader) throws(JSONProblem) in
                        if let version = try reader.notNegative() { versions.append(version) }
                    }
                } else {
                    try reader.skip()
                }
            }
            if let extensionName { extensions[extensionName] = versions }
        }
        return extensions
    }
}
