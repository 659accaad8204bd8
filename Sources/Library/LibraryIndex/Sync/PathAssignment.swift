import GRDB

/// Gives songs paths that no other song has, and no directory.
struct PathAssignment {
    private let lookup: TreeLookup
    private let placedSong: SQLStatement
    private let isFirst: Bool
    private var directories: Set<ExactText> = []
    private var given: Set<ExactText> = []
    private var numbers: [ExactText: Int] = [:]

    init(_ database: Database) throws {
        lookup = try TreeLookup(database)
        placedSong = try SQLStatement(database, "SELECT id FROM song WHERE uri = ? AND walk IS NOT NULL")
        isFirst = try !database.has("SELECT 1 FROM song WHERE uri IS NOT NULL")
    }

    mutating func reserveDirectories(of path: String) {
        var path = directoryPath(of: path)
        while !path.isEmpty, directories.insert(ExactText(path)).inserted { path = directoryPath(of: path) }
    }

    /// Songs of the tree whose path is now needed for a directory.
    func displacedSongs() throws -> [Int64] {
        if isFirst { return [] }
        return try directories.compactMap { directory in
            guard try lookup.directory(at: directory.text) == nil else { return nil }
            return try placedSong.first(directory.text) { $0.int(0) }
        }
    }

    /// True if a song that is being written needs a directory at this path.
    func isDirectory(_ path: String) -> Bool { directories.contains(ExactText(path)) }

    /// The wanted path, or the first numbered one that is free. A file may have the path of the directory of the tracks
    /// that hide it (`besideDirectories`).
    mutating func take(_ wanted: String, besideDirectories: Bool) throws -> String {
        var path = wanted
        var number = numbers[ExactText(wanted)] ?? 1
        while try isTaken(path, besideDirectories: besideDirectories) {
            number += 1
            path = CleanText.numbered(wanted, number)
        }
        if number > 1 { numbers[ExactText(wanted)] = number }
        given.insert(ExactText(path))
        return path
    }

    private func isTaken(_ path: String, besideDirectories: Bool) throws -> Bool {
        if given.contains(ExactText(path)) || !besideDirectories && isDirectory(path) { return true }
        if isFirst { return false }
        return try lookup.song(at: path) != nil || !besideDirectories && lookup.directory(at: path) != nil
    }
}
