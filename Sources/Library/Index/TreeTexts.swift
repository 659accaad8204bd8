import GRDB

/// The paths of all directories and the names of all songs, in the order of the walk.
///
/// `listall` is made of nothing else; reading it from the rows of the songs, which hold much more, costs three times
/// what MPD needs. Read when first asked for and kept for the generation: about 35 bytes a song.
final class TreeTexts: Sendable {
    private let names: [UInt8]
    private let nameEnds: [UInt32]
    private let paths: [UInt8]
    private let pathEnds: [UInt32]
    /// One more than a song's place in the order, by its number; 0 for numbers that are not in it.
    private let places: [UInt32]

    /// Reads the texts inside the transaction in which `order` holds; nil when a song is not named after its directory.
    init?(_ database: Database, _ order: WalkOrder) throws {
        var paths: [UInt8] = []
        var pathEnds: [UInt32] = []
        let directories = try SQLStatement(database, "SELECT path FROM directory ORDER BY number")
        try directories.forEach {
            paths.append(contentsOf: directories.bytes(0))
            pathEnds.append(UInt32(paths.count))
        }
        var names: [UInt8] = []
        var nameEnds: [UInt32] = []
        nameEnds.reserveCapacity(order.songs.count)
        var directory = 0
        var isComplete = true
        let songs = try SQLStatement(
            database, "SELECT uri FROM song INDEXED BY song_walk WHERE walk IS NOT NULL ORDER BY walk")
        try songs.forEach {
            while directory + 1 < order.directories.count, order.directories[directory + 1].firstSong <= nameEnds.count
            {
                directory += 1
            }
            let uri = songs.bytes(0)
            let start = directory == 0 ? 0 : Int(pathEnds[directory - 1])
            let path = paths[start..<Int(pathEnds[directory])]
            let isInside = path.isEmpty || (uri.starts(with: path) && uri.count > path.count && uri[path.count] == 0x2F)
            isComplete = isComplete && isInside
            names.append(contentsOf: uri.dropFirst(isInside && !path.isEmpty ? path.count + 1 : 0))
            nameEnds.append(UInt32(names.count))
        }
        guard isComplete, nameEnds.count == order.songs.count, pathEnds.count == order.directories.count else {
            return nil
        }
        var places = [UInt32](repeating: 0, count: order.durations.count)
        for (place, song) in order.songs.enumerated() { places[Int(song)] = UInt32(place + 1) }
        self.places = places
        (self.names, self.nameEnds, self.paths, self.pathEnds) = (names, nameEnds, paths, pathEnds)
    }

    /// Appends the line of the directory at a place in the order, and the `file` lines of its songs.
    func append(directory place: Int, _ order: WalkOrder, to buffer: inout [UInt8]) {
        let path = paths[(place == 0 ? 0 : Int(pathEnds[place - 1]))..<Int(pathEnds[place])]
        // The root has no line of its own.
        if !path.isEmpty {
            buffer.append(contentsOf: "directory: ".utf8)
            buffer.append(contentsOf: path)
            buffer.append(0x0A)
        }
        for song in order.songs(inDirectories: place..<place + 1).indices {
            append(songAt: song, below: path, to: &buffer)
        }
    }

    /// Appends the `file` line of a song, nothing for one that is gone; `directory` is where the song may be, and then
    /// where it is, since songs of a folder mostly come together.
    func append(song: UInt32, _ order: WalkOrder, near directory: inout Int, to buffer: inout [UInt8]) {
        guard Int(song) < places.count, places[Int(song)] > 0 else { return }
        let place = Int(places[Int(song)]) - 1
        if !order.songs(inDirectories: directory..<directory + 1).indices.contains(place) {
            directory = order.directory(ofSongAt: place)
        }
        let path = paths[(directory == 0 ? 0 : Int(pathEnds[directory - 1]))..<Int(pathEnds[directory])]
        append(songAt: place, below: path, to: &buffer)
    }

    private func append(songAt place: Int, below path: ArraySlice<UInt8>, to buffer: inout [UInt8]) {
        buffer.append(contentsOf: "file: ".utf8)
        if !path.isEmpty {
            buffer.append(contentsOf: path)
            buffer.append(0x2F)
        }
        buffer.append(contentsOf: names[(place == 0 ? 0 : Int(nameEnds[place - 1]))..<Int(nameEnds[place])])
        buffer.append(0x0A)
    }
}
