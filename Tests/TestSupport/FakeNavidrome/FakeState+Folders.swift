/// The folders in which the files lie, whose ids are their paths.
extension FakeState {
    /// Answers `getMusicDirectory`, or `getIndexes` for the folder at the top.
    mutating func folder(_ path: String) -> FakeAnswer {
        let start = path.isEmpty ? "" : path + "/"
        var folders: [String] = []
        var songs: [FakeJSON] = []
        for place in listed where library.songs[place].path.hasPrefix(start) {
            let rest = library.songs[place].path.dropFirst(start.count)
            if let slash = rest.firstIndex(of: "/") {
                let folder = start + rest[..<slash]
                if folders.last != folder, !folders.contains(folder) { folders.append(folder) }
            } else {
                songs.append(.raw(String(decoding: json(at: place), as: UTF8.self)))
            }
        }
        if path.isEmpty {
            let artists = folders.map { FakeJSON.object([("id", .string($0)), ("name", .string($0))]) }
            let index = FakeJSON.object([("name", .string("A")), ("artist", .array(artists))])
            return ok([("indexes", .object([("index", .array([index])), ("child", .array(songs))]))])
        }
        if folders.isEmpty, songs.isEmpty { return error(70, "Directory not found") }
        let children = folders.map {
            FakeJSON.object([("id", .string($0)), ("isDir", .bool(true)), ("title", .string($0))])
        }
        return ok([("directory", .object([("id", .string(path)), ("child", .array(children + songs))]))])
    }
}
