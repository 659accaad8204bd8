import Foundation

/// Bookmarks.
extension FakeState {
    /// `createBookmark`.
    mutating func createBookmark(_ request: FakeRequest) -> FakeAnswer {
        guard let id = request["id"] else { return error(10, "missing parameter: 'id'") }
        guard let position = request["position"].flatMap({ Int64($0) }) else {
            return error(10, "missing parameter: 'position'")
        }
        guard song(id) != nil else { return error(70, "data not found") }
        bookmarks.removeAll { $0.songID == id }
        bookmarks.append(FakeBookmark(songID: id, position: position))
        return ok()
    }

    /// `deleteBookmark`.
    mutating func deleteBookmark(_ request: FakeRequest) -> FakeAnswer {
        guard let id = request["id"] else { return error(10, "missing parameter: 'id'") }
        guard bookmarks.contains(where: { $0.songID == id }) else { return error(70, "data not found") }
        bookmarks.removeAll { $0.songID == id }
        return ok()
    }

    /// `getBookmarks`.
    var bookmarkList: FakeAnswer {
        let list = bookmarks.compactMap { bookmark -> FakeJSON? in
            guard let song = song(bookmark.songID), !song.isMissing else { return nil }
            let time = FakeTime.iso(
                bookmark.changed / 1000, nanoseconds: bookmark.changed % 1000 * 1_000_000 + 195_585)
            return .object([
                ("entry", song.json(size: 1)), ("position", .int(bookmark.position)),
                ("username", .string(options.user)), ("comment", .string("")), ("created", .string(time)),
                ("changed", .string(time)),
            ])
        }
        return ok([("bookmarks", .object(list.isEmpty ? [] : [("bookmark", .array(list))]))])
    }
}

/// A bookmark of the fake server.
package struct FakeBookmark: Hashable, Sendable {
    /// The song's id.
    package var songID: String
    /// Milliseconds.
    package var position: Int64
    /// Unix milliseconds.
    package var changed: Int64

    /// Makes a bookmark; one without a time is set now.
    package init(songID: String, position: Int64, changed: Int64? = nil) {
        self.songID = songID
        self.position = position
        self.changed = changed ?? Int64(Date().timeIntervalSince1970 * 1000)
    }
}

extension FakeNavidrome {
    /// The user's bookmarks.
    package var bookmarks: [FakeBookmark] {
        get { withState { $0.bookmarks } }
        set { withState { $0.bookmarks = newValue } }
    }
}
