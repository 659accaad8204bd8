import GRDB
import Coordination
import MPDProtocol

/// The paths of all directories and the names of all songs, in the order of the walk: about 35 bytes a song.
final class TreeTexts: Sendable {
    private let names: PackedTexts
    private let paths: PackedTexts
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
        var (paths, names) = (PackedTexts(), PackedTexts())
        var modified: [Int64?] = []
        try database.forEach("SELECT path, modified FROM directory ORDER BY number") { row in
            paths.append(row.bytes(0))
            modified.append(row.optionalInt(1))
        }
        var directory = 0
        var isComplete = true
        try database.forEach("SELECT uri FROM song INDEXED BY song_walk WHERE walk IS NOT NULL ORDER BY walk") { row in
            while directory + 1 < order.directories.count, order.directories[directory + 1].firstSong <= names.count {
                directory += 1
            }
            let uri = row.bytes(0)
            let path = paths[directory]
            let isInside = path.isEmpty || (uri.starts(with: path) && uri.count > path.count && uri[path.count] == 0x2F)
            isComplete = isComplete && isInside
            names.append(uri.dropFirst(isInside && !path.isEmpty ? path.count + 1 : 0))
        }
        guard isComplete, names.count == order.songs.count, paths.count == order.directories.count else { return nil }
        var positions = [UInt32](repeating: 0, count: order.durations.count)
        for (position, song) in order.songs.enumerated() { positions[Int(song)] = UInt32(position + 1) }
        self.positions = positions
        hiddenLines = try Self.hiddenLines(database)
        (self.names, self.paths, self.modified) = (names, paths, modified)
        subtreeEnds = Self.subtreeEnds(paths)
        indicesByPath = Self.indicesByPath(paths)
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
    private static func subtreeEnds(_ paths: PackedTexts) -> [UInt32] {
        var result = [UInt32](repeating: UInt32(paths.count), count: paths.count)
        var open: [Int] = []
        for index in result.indices {
            let path = paths[index]
            while let last = open.last {
                let outer = paths[last]
                let next = path.dropFirst(outer.count).first
                if outer.isEmpty || (next == 0x2F && path.starts(with: outer)) { break }
                result[last] = UInt32(index)
                open.removeLast()
            }
            open.append(index)
        }
        return result
    }

    private static func indicesByPath(_ paths: PackedTexts) -> [UInt32] {
        var size = 64
        while size < 2 * paths.count { size *= 2 }
        var result = [UInt32](repeating: 0, count: size)
        for index in 0..<paths.count {
            var slot = paths.withText(index) { hash(UnsafeRawBufferPointer($0)) }.slot(of: size)
            while result[slot] > 0 { slot = (slot + 1) & (size - 1) }
            result[slot] = UInt32(index + 1)
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
            return songs.indices.first { names.withText($0) { UnsafeRawBufferPointer($0).equals(name) } }
                .map { .song(order.songs[$0]) }
        }
    }

    private func directory(at path: UnsafeRawBufferPointer) -> Int? {
        var slot = Self.hash(path).slot(of: indicesByPath.count)
        while indicesByPath[slot] > 0 {
            let index = Int(indicesByPath[slot]) - 1
            if paths.withText(index, { UnsafeRawBufferPointer($0).equals(path) }) { return index }
            slot = (slot + 1) & (indicesByPath.count - 1)
        }
        return nil
    }

    func subtree(of index: Int) -> Range<Int> { index..<Int(subtreeEnds[index]) }

    // MARK: Writing

    /// Appends the lines of the directories in the one at an index, with `Last-Modified`; false for more than `limit`.
    func appendChildren(of index: Int, max limit: Int = .max, to buffer: inout [UInt8]) -> Bool {
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

    func appendLine(ofDirectory index: Int, withTime: Bool, to buffer: inout [UInt8]) {
        let path = paths[index]
        guard !path.isEmpty else { return }
        path.withUnsafeBytes { buffer.appendDirectory($0) }
        if withTime, let modified = modified[index] { buffer.appendLastModified(modified) }
    }

    /// Appends the line of the directory at an index of the order, and the `file` lines of its songs.
    func append(directory index: Int, _ order: WalkOrder, to buffer: inout [UInt8]) {
        appendLine(ofDirectory: index, withTime: false, to: &buffer)
        for song in order.songs(inDirectories: index..<index + 1).indices {
            buffer.appendFile(names[song], in: paths[index])
        }
    }

    /// Appends the `file` line of a song that isn't gone; `directory` is where it may be, and then where it is.
    func append(song: UInt32, _ order: WalkOrder, near directory: inout Int, to buffer: inout [UInt8]) {
        guard Int(song) < positions.count, positions[Int(song)] > 0 else {
            if let line = hiddenLines[song] { buffer.append(contentsOf: line) }
            return
        }
        let position = Int(positions[Int(song)]) - 1
        if !order.songs(inDirectories: directory..<directory + 1).indices.contains(position) {
            directory = order.directory(ofSongAt: position)
        }
        buffer.appendFile(names[position], in: paths[directory])
    }
}
