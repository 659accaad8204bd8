import GRDB
import LibraryIndex
package import MusicModel
import Synchronization

/// Edits of playlists. They throw `LibraryError`, such as `.playlistReadOnly`, and `.badPosition` beyond the end.
extension Library {
    /// How `save` treats a playlist that exists.
    package enum SaveMode: Hashable, Sendable {
        case create
        /// It must exist; the new entries go to its end.
        case append
        /// It must exist; its entries go.
        case replace
    }

    /// Saves a playlist.
    /// - Throws: `LibraryError.playlistExists`, `.noSuchPlaylist`, and those of `insertIntoStoredPlaylist`.
    package func saveStoredPlaylist(_ name: String, _ items: [QueueItem], mode: SaveMode) async throws {
        try checkDisk()
        defer { releaseMemory(afterEntries: items.count) }
        try await edit(name) { [playlistLimit] store, now in
            if mode == .create { try store.checkFree(name) }
            let id = try mode == .create ? store.create(name, modified: now / 1000) : store.existing(name).id
            if mode == .replace { try store.replace(id, []) }
            try store.checkRoom(id, for: items.count, limit: playlistLimit)
            try store.append(id, items)
            try store.touch(id, now: now)
        }
    }

    /// Inserts entries, at the end without a position; makes a playlist that does not exist.
    /// - Throws: `LibraryError.badPosition`, `.badPlaylistName`, `.playlistReadOnly`, `.playlistTooLarge`, `.diskFull`.
    package func insertIntoStoredPlaylist(
        _ name: String, _ items: [QueueItem], at position: Int?, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try PlaylistName.check(name)
        try checkDisk()
        if position == nil, appendQuickly(items, to: name) { return }
        defer { releaseMemory(afterEntries: items.count) }
        try await edit(name) { [playlistLimit] store, now in
            try store.insert(items, at: position, into: name, now: now, limit: playlistLimit)
        }
    }

    /// Puts a few songs at the end of a short playlist on the caller's thread; false, with nothing done, otherwise.
    private func appendQuickly(_ items: [QueueItem], to name: String) -> Bool {
        guard items.count <= MusicIndex.few else { return false }
        let now = UnixTime.milliseconds
        let isDone = database.writeQuickly { [virtualPlaylists, playlistLimit] database -> Bool? in
            // A longer playlist fails here, which undoes everything; the other way has the right limit.
            try PlaylistStore(database, virtualPlaylists).insert(
                items, at: nil, into: name, now: now, limit: min(playlistLimit, Self.shortPlaylist))
            return true
        }
        if isDone == true { noteUpstreamWork() }
        return isDone == true
    }

    private static let shortPlaylist = 10_000

    /// Makes sure that entries can be inserted at a position.
    package func checkInsertion(intoStoredPlaylist name: String, at position: Int) async throws {
        try PlaylistName.check(name)
        try await read { [virtualPlaylists] database in
            let store = PlaylistStore(database, virtualPlaylists)
            let count = try store.editable(name).map { try store.visibleCount($0.id) } ?? 0
            guard (0...count).contains(position) else { throw LibraryError(.badPosition, "Bad position") }
        }
    }

    /// Deletes entries; an end beyond the last entry is cut.
    package func deleteFromStoredPlaylist(_ name: String, _ range: Range<Int>) async throws {
        try await editEntries(name) { entries in
            let visible = entries.visiblePlaces
            guard range.lowerBound <= visible.count else { throw LibraryError(.badPosition, "Bad song index") }
            let deleted = Set(visible[range.clamped(to: 0..<visible.count)])
            entries = entries.indices.filter { !deleted.contains($0) }.map { entries[$0] }
        }
    }

    /// Moves entries so that the first of them stands at `position` of what is left without them.
    package func moveInStoredPlaylist(_ name: String, _ range: Range<Int>, to position: Int) async throws {
        try await editEntries(name) { entries in
            let visible = entries.visiblePlaces
            guard range.upperBound <= visible.count, position >= 0, position <= visible.count - range.count else {
                throw LibraryError(.badPosition, "Bad range")
            }
            let moved = visible[range].map { entries[$0] }
            let positions = Set(visible[range])
            entries = entries.indices.filter { !positions.contains($0) }.map { entries[$0] }
            entries.insert(contentsOf: moved, at: entries.place(ofVisible: position))
        }
    }

    /// Removes all entries.
    package func clearStoredPlaylist(_ name: String) async throws { try await editEntries(name) { $0 = [] } }

    /// Removes a playlist; the server hears of it later.
    package func removeStoredPlaylist(_ name: String) async throws {
        try await edit(name) { store, _ in
            let playlist = try store.existing(name)
            try store.noteDeletion(of: playlist)
            try store.delete(playlist.id)
        }
    }

    /// Renames a playlist.
    /// - Throws: `LibraryError.playlistExists`, `.noSuchPlaylist`, `.badPlaylistName`, `.playlistReadOnly`.
    package func renameStoredPlaylist(_ name: String, to newName: String) async throws {
        try PlaylistName.check(newName)
        try await edit(name) { store, now in
            let playlist = try store.existing(name)
            try store.checkFree(newName)
            try store.rename(playlist.id, to: newName)
            try store.touch(playlist.id, now: now)
        }
    }

    /// Runs an edit by a client, who made it at a time in Unix milliseconds; the server hears of it afterwards.
    private func edit(
        _ name: String, _ change: @escaping @Sendable (PlaylistStore, Int64) throws -> Void
    ) async throws {
        try PlaylistName.check(name)
        let now = UnixTime.milliseconds
        try await database.writeSoon { [virtualPlaylists] in try change(PlaylistStore($0, virtualPlaylists), now) }
        noteUpstreamWork()
    }

    private func editEntries(
        _ name: String, _ change: @escaping @Sendable (inout [PlaylistStore.Entry]) throws -> Void
    ) async throws {
        let count = Atomic(0)
        defer { releaseMemory(afterEntries: count.load(ordering: .relaxed)) }
        try await edit(name) { store, now in
            let id = try store.existing(name).id
            let before = try store.entries(id)
            count.store(before.count, ordering: .relaxed)
            var entries = before
            try change(&entries)
            if entries != before { try store.replace(id, entries) }
            try store.touch(id, now: now)
        }
    }
}

/// The names that a stored playlist may have.
/// - Source: MPD v0.24.13 `spl_valid_name` in src/PlaylistFile.cxx.
enum PlaylistName {
    static let exists = LibraryError(.playlistExists, "Playlist already exists")

    static func check(_ name: String) throws {
        if name.isEmpty || name.utf8.contains(where: { $0 == 0x2F || $0 == 0x0A || $0 == 0x0D || $0 == 0 }) {
            throw LibraryError(.badPlaylistName, "Bad playlist name")
        }
    }

    /// The server's name of a playlist that clients call so: one line, without spaces round it, as it is read again.
    static func forServer(_ name: String) -> String {
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars.drop(while: isSpace) {
            let isControl = scalar.value < 0x20 || scalar.value == 0x7F
            scalars.append(scalar == "\u{2215}" ? "/" : isControl ? " " : scalar)
        }
        while scalars.last.map(isSpace) ?? false { scalars.removeLast() }
        while scalars.first == " " { scalars.removeFirst() }
        return scalars.isEmpty ? untitled : String(scalars)
    }

    /// True if the server's name of a playlist is what it makes of a client's.
    static func isSame(_ name: String, onServer serverName: String) -> Bool {
        ExactText.equal(forServer(name), forServer(serverName))
    }

    /// True if a name on the server may be what it made of another one: with other signs, or cut off.
    static func mayBe(_ serverName: String, of sent: String) -> Bool {
        let (made, whole) = (letters(serverName), letters(sent))
        return made.isEmpty ? whole.isEmpty : whole.starts(with: made)
    }

    private static func letters(_ name: String) -> String.UnicodeScalarView {
        String.UnicodeScalarView(
            name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil })
    }

    private static let untitled = "Untitled"

    static func fitted(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            scalars.append(scalar == "/" ? "\u{2215}" : scalar.value < 0x20 ? " " : scalar)
        }
        let fitted = CleanText.tagValue(String(scalars)) ?? ""
        return fitted.isEmpty ? untitled : fitted
    }
}

extension PlaylistStore {
    fileprivate func insert(_ items: [QueueItem], at position: Int?, into name: String, now: Int64, limit: Int) throws {
        let existing = try editable(name)
        if let position {
            let count = try existing.map { try visibleCount($0.id) } ?? 0
            guard (0...count).contains(position) else { throw LibraryError(.badPosition, "Bad position") }
        }
        guard !items.isEmpty else { return }
        let id = try existing?.id ?? create(name, modified: now / 1000)
        try checkRoom(id, for: items.count, limit: limit)
        if let position {
            var entries = try self.entries(id)
            entries.insert(contentsOf: items.map { .init($0) }, at: entries.place(ofVisible: position))
            try replace(id, entries)
        } else {
            try append(id, items)
        }
        try touch(id, now: now)
    }
}

extension [PlaylistStore.Entry] {
    fileprivate var visiblePlaces: [Int] { indices.filter { self[$0].isVisible } }

    fileprivate func place(ofVisible number: Int) -> Int {
        let positions = visiblePlaces
        return number < positions.count ? positions[number] : count
    }
}
