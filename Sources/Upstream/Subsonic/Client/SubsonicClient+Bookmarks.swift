import MusicModel

/// Places in long songs, as the server keeps them for all of a user's clients.
extension SubsonicClient {
    /// The user's bookmarks; nil where the server doesn't know the call.
    @concurrent
    package func bookmarks() async throws -> [SubsonicBookmark]? {
        do {
            return try await list(
                SubsonicCall(name: "getBookmarks"), "bookmarks", "bookmark"
            ) { (reader) throws(JSONProblem) in
                try SubsonicBookmark(&reader)
            }.items
        } catch let error as SubsonicError where error.isAbsence { return nil }
    }

    /// Sets a song's bookmark, in place of the one it had.
    ///
    /// - Parameters:
    ///   - songID: the song's id on the server.
    ///   - position: where to resume; sent in milliseconds.
    /// - Throws: `notFound` where there is no such song, an error with `isMissingCall` where there are no bookmarks.
    @concurrent
    package func setBookmark(songID: String, position: Duration) async throws {
        let parts = position.components
        let milliseconds = parts.seconds.multipliedClamped(by: 1000)
            .addingClamped(parts.attoseconds / 1_000_000_000_000_000)
        _ = try await perform(
            SubsonicCall(
                name: "createBookmark", parameters: [("id", songID), ("position", String(max(0, milliseconds)))]))
    }

    /// Removes a song's bookmark; one that isn't there is fine.
    @concurrent
    package func removeBookmark(songID: String) async throws {
        do {
            _ = try await perform(SubsonicCall(name: "deleteBookmark", parameters: [("id", songID)]))
        } catch let error as SubsonicError where error.code == .notFound { return }
    }
}

extension SubsonicError {
    /// True if the server doesn't have this part of the API, as it says itself.
    package var isMissingCall: Bool { isAbsence }
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

/// How bookmarks are read.
extension SubsonicBookmark {
    private enum Member: String, CaseIterable {
        case entry, id, position, created, changed
    }

    private static let names = MemberNames<Member>()

    /// Reads a bookmark; nil where there is no object or none with a song.
    init?(_ reader: inout JSONReader) throws(JSONProblem) {
        var bookmark = SubsonicBookmark(songID: "", position: .zero)
        var created: String?
        try reader.members { (reader, name) throws(JSONProblem) in
            switch Self.names[name] {
            case .entry: bookmark.songID = try Self.songID(&reader)
            case .position: bookmark.position = .milliseconds(max(0, try reader.integer() ?? 0))
            case .created: created = try reader.nonEmptyText()
            case .changed: bookmark.changed = try reader.nonEmptyText()
            case .id, nil: try reader.skip()
            }
        }
        if bookmark.songID.isEmpty { return nil }
        bookmark.changed = bookmark.changed ?? created
        self = bookmark
    }

    private static func songID(_ reader: inout JSONReader) throws(JSONProblem) -> String {
        var id = ""
        try reader.members { (reader, name) throws(JSONProblem) in
            if names[name] == .id { id = try reader.text() ?? "" } else { try reader.skip() }
        }
        return id
    }
}
