import Foundation
import GRDB
public import MusicModel

extension Library {
    /// How `save` treats a playlist that exists.
    public enum SaveMode: Hashable, Sendable {
        /// It must not exist yet.
        case create
        /// It must exist; the new entries go to its end.
        case append
        /// It must exist; its entries go.
        case replace
    }

    /// All stored playlists, sorted by name as people expect.
    @concurrent
    public func storedPlaylists() async throws -> [StoredPlaylist] {
        try await read { database in
            let rows = try SQLStatement(database, "SELECT name, modified, server_id IS NOT NULL FROM playlist")
            var playlists: [StoredPlaylist] = []
            try rows.forEach {
                playlists.append(
                    StoredPlaylist(name: rows.text(0), lastModified: rows.int(1), isReadOnly: rows.int(2) != 0))
            }
            return playlists.sorted { Collation.precedes($0.name, $1.name) }
        }
    }

    /// The entries of a playlist; songs that are gone are left out until they are back.
    ///
    /// - Throws: `LibraryError.noSuchPlaylist`, `.badPlaylistName`.
    @concurrent
    public func storedPlaylist(_ name: String) async throws -> [QueueItem] {
        try PlaylistName.check(name)
        return try await read { database in
            let store = PlaylistStore(database)
            guard let playlist = try store.playlist(name) else { throw PlaylistStore.missing }
            return try store.entries(playlist.id).filter(\.isVisible).map(\.item)
        }
    }

    /// Saves a playlist.
    ///
    /// - Throws: `LibraryError.playlistExists`, `.noSuchPlaylist`, `.badPlaylistName`, `.playlistReadOnly`.
    @concurrent
    public func saveStoredPlaylist(_ name: String, _ items: [QueueItem], mode: SaveMode) async throws {
        try PlaylistName.check(name)
        let now = Self.now
        try await write { database in
            let store = PlaylistStore(database)
            switch mode {
            case .create:
                guard try store.playlist(name) == nil else { throw PlaylistName.exists }
                try store.append(try store.create(name, serverID: nil, modified: now), items)
            case .append, .replace:
                let playlist = try store.existing(name)
                try mode == .append ? store.append(playlist.id, items) : store.replace(playlist.id, items)
                try store.touch(playlist.id, now: now)
            }
        }
    }

    /// Inserts entries, at the end without a position. A playlist that does not exist is created when there is
    /// something to insert.
    ///
    /// - Throws: `LibraryError.badPosition` beyond the end, `.badPlaylistName`, `.playlistReadOnly`.
    @concurrent
    public func insertIntoStoredPlaylist(_ name: String, _ items: [QueueItem], at position: Int?) async throws {
        try PlaylistName.check(name)
        let now = Self.now
        try await write { database in
            let store = PlaylistStore(database)
            let existing = try store.editable(name)
            let entries = try position == nil ? [] : existing.map { try store.entries($0.id) } ?? []
            if let position, position > entries.count(where: \.isVisible) || position < 0 {
                throw LibraryError(.badPosition, "Bad position")
            }
            guard !items.isEmpty else { return }
            let id = try existing?.id ?? store.create(name, serverID: nil, modified: now)
            if let position, let place = entries.place(ofVisible: position) {
                var all = entries.map(\.item)
                all.insert(contentsOf: items, at: place)
                try store.replace(id, all)
            } else {
                try store.append(id, items)
            }
            try store.touch(id, now: now)
        }
    }

    /// Deletes entries; an end beyond the last entry is cut.
    ///
    /// - Throws: `LibraryError.badPosition` when the start is beyond the end, `.noSuchPlaylist`, `.badPlaylistName`,
    ///   `.playlistReadOnly`.
    public func deleteFromStoredPlaylist(_ name: String, _ range: Range<Int>) async throws {
        try await edit(name) { entries in
            let visible = entries.visiblePlaces
            guard range.lowerBound <= visible.count else { throw LibraryError(.badPosition, "Bad song index") }
            for place in visible[range.clamped(to: 0..<visible.count)].reversed() { entries.remove(at: place) }
        }
    }

    /// Moves entries so that the first of them stands at `position` of what is left without them.
    ///
    /// - Throws: `LibraryError.badPosition`, `.noSuchPlaylist`, `.badPlaylistName`, `.playlistReadOnly`.
    public func moveInStoredPlaylist(_ name: String, _ range: Range<Int>, to position: Int) async throws {
        try await edit(name) { entries in
            let visible = entries.visiblePlaces
            guard range.upperBound <= visible.count, position >= 0, position <= visible.count - range.count else {
                throw LibraryError(.badPosition, "Bad range")
            }
            let moved = visible[range].map { entries[$0] }
            for place in visible[range].reversed() { entries.remove(at: place) }
            entries.insert(contentsOf: moved, at: entries.place(ofVisible: position) ?? entries.count)
        }
    }

    /// Removes all entries.
    ///
    /// - Throws: `LibraryError.noSuchPlaylist`, `.badPlaylistName`, `.playlistReadOnly`.
    public func clearStoredPlaylist(_ name: String) async throws { try await edit(name) { $0 = [] } }

    /// Removes a playlist.
    ///
    /// - Throws: `LibraryError.noSuchPlaylist`, `.badPlaylistName`, `.playlistReadOnly`.
    @concurrent
    public func removeStoredPlaylist(_ name: String) async throws {
        try PlaylistName.check(name)
        try await write { database in
            let store = PlaylistStore(database)
            try store.delete(try store.existing(name).id)
        }
    }

    /// Renames a playlist.
    ///
    /// - Throws: `LibraryError.playlistExists`, `.noSuchPlaylist`, `.badPlaylistName`, `.playlistReadOnly`.
    @concurrent
    public func renameStoredPlaylist(_ name: String, to newName: String) async throws {
        try PlaylistName.check(name)
        try PlaylistName.check(newName)
        try await write { database in
            let store = PlaylistStore(database)
            guard try store.playlist(newName) == nil else { throw PlaylistName.exists }
            try store.rename(try store.existing(name).id, to: newName)
        }
    }

    /// Replaces what is known of the server's playlists; true if anything changed. Songs that the index does not know
    /// are left out.
    @concurrent
    public func replaceServerPlaylists(_ playlists: [ServerPlaylist]) async throws -> Bool {
        try await write { database in try ServerPlaylistWriter(database).replace(playlists) }
    }

    static var now: Int64 { Int64(Date().timeIntervalSince1970) }

    private func edit(
        _ name: String, _ change: @escaping @Sendable (inout [PlaylistStore.Entry]) throws -> Void
    ) async throws {
        try PlaylistName.check(name)
        let now = Self.now
        try await write { database in
            let store = PlaylistStore(database)
            let playlist = try store.existing(name)
            var entries = try store.entries(playlist.id)
            try change(&entries)
            try store.replace(playlist.id, entries.map(\.item))
            try store.touch(playlist.id, now: now)
        }
    }
}

/// What a stored playlist may be called.
///
/// - Source: MPD v0.24.13 `spl_valid_name` in src/PlaylistFile.cxx.
enum PlaylistName {
    static let exists = LibraryError(.playlistExists, "Playlist already exists")

    static func check(_ name: String) throws {
        if name.isEmpty || name.utf8.contains(where: { $0 == 0x2F || $0 == 0x0A || $0 == 0x0D || $0 == 0 }) {
            throw LibraryError(.badPlaylistName, "Bad playlist name")
        }
    }

    /// A name of the server's in a form that clients can use.
    static func fitted(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            scalars.append(scalar == "/" ? "\u{2215}" : scalar.value < 0x20 ? " " : scalar)
        }
        let fitted = CleanText.tagValue(String(scalars)) ?? ""
        return fitted.isEmpty ? "Untitled" : fitted
    }
}

extension [PlaylistStore.Entry] {
    /// The places of the entries that clients see.
    fileprivate var visiblePlaces: [Int] { indices.filter { self[$0].isVisible } }

    /// The place of the visible entry with this number; nil after the last.
    fileprivate func place(ofVisible number: Int) -> Int? {
        let places = visiblePlaces
        return number < places.count ? places[number] : nil
    }
}
