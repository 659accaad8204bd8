import MusicModel

extension SubsonicClient {
    /// The user's bookmarks; nil where the server doesn't know the call.
    package func bookmarks() async throws -> [SubsonicBookmark]? {
        try await ifKnown { try await list(SubsonicCall("getBookmarks"), "bookmarks", "bookmark") }?.items
    }

    /// Sets a song's bookmark, in place of the one it had.
    /// - Throws: `notFound` where there is no such song, an error with `isAbsence` where there are no bookmarks.
    package func setBookmark(songID: String, position: Duration) async throws {
        let parts = position.components
        let milliseconds = parts.seconds.multipliedClamped(by: 1000)
            .addingClamped(parts.attoseconds / 1_000_000_000_000_000)
        _ = try await perform(
            SubsonicCall("createBookmark", ["id": songID, "position": String(max(0, milliseconds))]))
    }

    /// Removes a song's bookmark; one that isn't there is fine.
    package func removeBookmark(songID: String) async throws {
        _ = try await ifFound { try await perform(SubsonicCall("deleteBookmark", ["id": songID])) }
    }
}

/// A place in a song.
package struct SubsonicBookmark: Hashable, Sendable {
    /// The song's id on the server, never empty.
    package var songID: String
    /// Where to resume.
    package var position: Duration
    /// When it was set last: ISO 8601.
    package var changed: String?
}

extension SubsonicBookmark: JSONReadable {
    init?(_ reader: inout JSONReader) throws {
        self.init(songID: "", position: .zero)
        var created: String?
        try reader.members { reader, name in
            switch name {
            case "entry": songID = try reader.id() ?? ""
            case "position": position = .milliseconds(max(0, try reader.integer() ?? 0))
            case "created": created = try reader.nonEmptyText()
            case "changed": changed = try reader.nonEmptyText()
            default: try reader.skip()
            }
        }
        if songID.isEmpty { return nil }
        changed = changed ?? created
    }
}
