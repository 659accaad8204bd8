import GRDB

/// Gives songs paths that no other song has, and no directory.
struct PathAssignment {
    private let lookup: TreeLookup
    /// Whether there is nothing yet to collide with.
    private let isFirst: Bool
    private var directories: Set<ExactText> = []
    private var given: Set<ExactText> = []
    /// The next number to try for a path that is wanted often.
    private var numbers: [ExactText: Int] = [:]

    init(_ database: Database) throws {
        lookup = try TreeLookup(database)
        isFirst = try database.integer("SELECT EXISTS (SELECT 1 FROM song WHERE walk IS NOT NULL)") == 0
    }

    /// Notes the directories that a song at `path` needs.
    mutating func reserveDirectories(of path: String) {
        var path = directoryPath(of: path)
        while !path.isEmpty, directories.insert(ExactText(path)).inserted { path = directoryPath(of: path) }
    }

    /// Visible songs whose path is now needed for a directory.
    func displacedSongs() throws -> [Int64] {
        if isFirst { return [] }
        return try directories.compactMap { directory in
            try lookup.directory(at: directory.text) == nil ? try lookup.song(at: directory.text) : nil
        }
    }

    /// Whether a song that is being written needs a directory at this path.
    func isDirectory(_ path: String) -> Bool { directories.contains(ExactText(path)) }

    /// The wanted path, or the first numbered one that is free.
    mutating func take(_ wanted: String) throws -> String {
        var path = wanted
        var number = numbers[ExactText(wanted)] ?? 1
        while try isTaken(path) {
            number += 1
            path = CleanText.numbered(wanted, number)
        }
        if number > 1 { numbers[ExactText(wanted)] = number }
        given.insert(ExactText(path))
        return path
    }

    private func isTaken(_ path: String) throws -> Bool {
        if given.contains(ExactText(path)) || isDirectory(path) { return true }
        if isFirst { return false }
        return try lookup.song(at: path) != nil || lookup.directory(at: path) != nil
    }
}
