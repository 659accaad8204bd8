import GRDB
import Coordination
import MPDProtocol

/// The paths of all directories and the names of all songs, in the order of the walk. `listall` is made of nothing
/// else; reading it from the rows of the songs, which hold much more, costs three times what MPD needs. Folders and
/// songs are found by their paths, too. Read when first asked for and kept for the generation: about 35 bytes a song.
final class TreeTexts: Sendable {
    private let names: [UInt8]
    private let nameEnds: [UInt32]
    private let paths: [UInt8]
    private let pathEnds: [UInt32]
    /// When the newest song inside each directory was changed, in Unix seconds.
    private let modified: [Int64?]
    /// Where what is below each directory ends, as an index in the order.
    private let subtreeEnds: [UInt32]
    /// Indices of directories by hashes of their paths, plus one. Open addressing, never more than half full.
    private let indicesByPath: [UInt32]
    /// One more than a song's position in the order, by its number; 0 for numbers that are not in it.
    private let positions: [UInt32]
    /// The `file` lines of songs that cue sheets hide, which are nowhere in the order.
    private let hiddenLines: [UInt32: [UInt8]]

    /// Reads the texts inside the transaction in which `order` holds; nil when a song is not named after its directory.
    init?(_ database: Database, _ order: WalkOrder) throws {
        var paths: [UInt8] = []
        var pathEnds: [UInt32] = []
        var modified: [Int64?] = []
        try database.forEach("SELECT path, modified FROM directory ORDER BY number") { row in
            paths.append(contentsOf: row.bytes(0))
            pathEnds.append(UInt32(paths.count))
            modified.append(row.optionalInt(1))
        }
        var names: [UInt8] = []
        var nameEnds: [UInt32] = []
        nameEnds.reserveCapacity(order.songs.count)
        var directory = 0
        var isComplete = true
        try database.forEach("SELECT uri FROM song INDEXED BY song_walk WHERE walk IS NOT NULL ORDER BY walk") { row in
            while directory + 1 < order.directories.count, order.directories[directory + 1].firstSong <= nameEnds.count
            { directory += 1 }
            let uri = row.bytes(0)
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
        var positions = [UInt32](repeating: 0, count: order.durations.count)
        for (position, song) in order.songs.enumerated() { positions[Int(song)] = UInt32(position + 1) }
        self.positions = positions
        hiddenLines = try Self.hiddenLines(database)
        (self.names, self.nameEnds, self.paths, self.pathEnds) = (names, nameEnds, paths, pathEnds)
        self.modified = modified
        subtreeEnds = Self.subtreeEnds(paths, pathEnds)
        indicesByPath = Self.indicesByPath(paths, pathEnds)
    }

    private static func hiddenLines(_ database: Database) throws -> [UInt32: [UInt8]] {
        var lines: [UInt32: [UInt8]] = [:]
        try database.forEach("SELECT s.id, s.uri FROM hidden_song h JOIN song s ON s.id = h.id") { row in
            var line: [UInt8] = []
            line.appendFile(row.bytes(1))
            lines[UInt32(clamping: row.int(0))] = line
        }
        return lines
    }

    /// Every directory comes behind the one that holds it and what that held before.
    private static func subtreeEnds(_ paths: [UInt8], _ pathEnds: [UInt32]) -> [UInt32] {
        var result = [UInt32](repeating: UInt32(pathEnds.count), count: pathEnds.count)
        var open: [Int] = []
        for index in pathEnds.indices {
            let path = paths[(index == 0 ? 0 : Int(pathEnds[index - 1]))..<Int(pathEnds[index])]
            while let last = open.last {
                let outer = paths[(last == 0 ? 0 : Int(pathEnds[last - 1]))..<Int(pathEnds[last])]
                let next = path.dropFirst(outer.count).first
                if outer.isEmpty || (next == 0x2F && path.starts(with: outer)) { break }
                result[last] = UInt32(index)
                open.removeLast()
            }
            open.append(index)
        }
        return result
    }

    private static func indicesByPath(_ paths: [UInt8], _ pathEnds: [UInt32]) -> [UInt32] {
        var size = 64
        while size < 2 * pathEnds.count { size *= 2 }
        var result = [UInt32](repeating: 0, count: size)
        paths.withUnsafeBytes { paths in
            var start = 0
            for (index, end) in pathEnds.enumerated() {
                var slot = hash(UnsafeRawBufferPointer(rebasing: paths[start..<Int(end)])).slot(of: size)
                while result[slot] > 0 { slot = (slot + 1) & (size - 1) }
                result[slot] = UInt32(index + 1)
                start = Int(end)
            }
        }
        return result
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> FNV1a {
        var hash = FNV1a()
        hash.combine(bytes)
        return hash
    }

    // MARK: Finding

    enum Found {
        /// A directory, by its index in the order.
        case directory(Int)
        /// A song, by its number.
        case song(UInt32)
    }

    /// The entry at a path; nil when there is none.
    func find(_ path: String, _ order: WalkOrder) -> Found? {
        var path = path
        return path.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            if let index = directory(at: bytes) { return .directory(index) }
            let slash = bytes.lastIndex(of: 0x2F)
            guard let index = directory(at: UnsafeRawBufferPointer(rebasing: bytes[..<(slash ?? 0)])) else {
                return nil
            }
            let name = UnsafeRawBufferPointer(rebasing: bytes[(slash.map { $0 + 1 } ?? 0)...])
            let songs = order.songs(inDirectories: index..<index + 1)
            return names.withUnsafeBytes { names in
                songs.indices.first { song in
                    let start = song == 0 ? 0 : Int(nameEnds[song - 1])
                    return UnsafeRawBufferPointer(rebasing: names[start..<Int(nameEnds[song])]).equals(name)
                }
            }.map { .song(order.songs[$0]) }
        }
    }

    private func directory(at path: UnsafeRawBufferPointer) -> Int? {
        var slot = Self.hash(path).slot(of: indicesByPath.count)
        return paths.withUnsafeBytes { paths in
            while indicesByPath[slot] > 0 {
                let index = Int(indicesByPath[slot]) - 1
                let start = index == 0 ? 0 : Int(pathEnds[index - 1])
                if UnsafeRawBufferPointer(rebasing: paths[start..<Int(pathEnds[index])]).equals(path) { return index }
                slot = (slot + 1) & (indicesByPath.count - 1)
            }
            return nil
        }
    }

    func subtree(of index: Int) -> Range<Int> { index..<Int(subtreeEnds[index]) }

    // MARK: Writing

    /// Appends the lines of the directories directly in the one at an index, with `Last-Modified`; false when there are
    /// more than `limit`.
    func appendChildren(of index: Int, atMost limit: Int, to buffer: inout [UInt8]) -> Bool {
        var child = index + 1
        var count = 0
        while child < subtreeEnds[index] {
            count += 1
            guard count <= limit else { return false }
            appendLine(ofDirectory: child, withTime: true, to: &buffer)
            child = Int(subtreeEnds[child])
        }
        return true
    }

    /// Appends the line of the directory at an index; the root has none.
    func appendLine(ofDirectory index: Int, withTime: Bool, to buffer: inout [UInt8]) {
        let path = path(index)
        guard !path.isEmpty else { return }
        path.withUnsafeBytes { buffer.appendDirectory($0) }
        if withTime, let modified = modified[index] { buffer.appendLastModified(modified) }
    }

    private func path(_ index: Int) -> ArraySlice<UInt8> {
        paths[(index == 0 ? 0 : Int(pathEnds[index - 1]))..<Int(pathEnds[index])]
    }

    /// Appends the line of the directory at an index of the order, and the `file` lines of its songs.
    func append(directory index: Int, _ order: WalkOrder, to buffer: inout [UInt8]) {
        appendLine(ofDirectory: index, withTime: false, to: &buffer)
        let path = path(index)
        for song in order.songs(inDirectories: index..<index + 1).indices {
            append(songAt: song, below: path, to: &buffer)
        }
    }

    /// Appends the `file` line of a song, nothing for one that is gone; `directory` is where the song may be, and then
    /// where it is, since songs of a folder mostly come together.
    func append(song: UInt32, _ order: WalkOrder, near directory: inout Int, to buffer: inout [UInt8]) {
        guard Int(song) < positions.count, positions[Int(song)] > 0 else {
            if let line = hiddenLines[song] { buffer.append(contentsOf: line) }
            return
        }
        let position = Int(positions[Int(song)]) - 1
        if !order.songs(inDirectories: directory..<directory + 1).indices.contains(position) {
            directory = order.directory(ofSongAt: position)
        }
        append(songAt: position, below: path(directory), to: &buffer)
    }

    private func append(songAt position: Int, below path: ArraySlice<UInt8>, to buffer: inout [UInt8]) {
        buffer.appendFile(names[(position == 0 ? 0 : Int(nameEnds[position - 1]))..<Int(nameEnds[position])], in: path)
    }
}
