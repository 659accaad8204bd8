import LibraryIndex
import MusicModel
package import UserLibrary

/// The playlists of the demonstration.
package struct DemoPlaylists: Sendable {
    private static let lists: [(name: String, titles: [String])] = [
        ("Sunday morning", ["Before Dawn", "First Light", "Dew", "Paper Boats", "Lantern"]),
        ("On the road", ["Platform Nine", "Market Square", "Ferry", "Over the Hills", "Border"]),
        ("Lights out", ["Evening Star", "Sleeper", "Good Night"]),
    ]

    private let library: Library

    /// Will make them in a library.
    package init(_ library: Library) { self.library = library }

    /// Makes those whose songs are all there and that don't exist; whether there was one to make.
    ///
    /// - Throws: the database's errors.
    @concurrent
    package func make() async throws -> Bool {
        let existing = Set(try await library.storedPlaylists().map(\.name))
        var isChanged = false
        for (name, titles) in Self.lists where !existing.contains(name) {
            var items: [QueueItem] = []
            for title in titles {
                let filter = SongFilter.text(.tag(.title), StringTest(.equals, title))
                guard let song = try await library.index.findQueueable(SongQuery(filter)).first else { break }
                items.append(.song(song.id))
            }
            guard items.count == titles.count else { continue }
            try await library.saveStoredPlaylist(name, items, mode: .create)
            isChanged = true
        }
        return isChanged
    }
}
