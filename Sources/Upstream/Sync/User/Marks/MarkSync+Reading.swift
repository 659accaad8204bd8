import LibraryIndex
import Logging
import MusicModel
package import Subsonic
import UserLibrary

extension MarkSync {
    /// Fetches the short lists and a piece of the long ones; true if a sticker changed. What was read before an error
    /// is kept.
    package func pull() async throws -> Bool {
        guard try await isKnownServer() else { return false }
        for list in [readStars, readRatedAlbums, readRecentAlbums, readSongs, readAlbums, readArtists] {
            try await list()
        }
        hasToReadAll = false
        return takeChange()
    }

    /// Checks what the server's events name; true if a sticker changed.
    package func refresh(_ resources: NavidromeEvent.Resources) async throws -> Bool {
        let count = resources.songs.count + resources.albums.count + resources.artists.count
        guard count <= settings.maxHints else {
            hasToReadAll = true
            checkSoon()
            return false
        }
        let clock = try await library.markClock()
        var songs: [SubsonicSong] = []
        for id in resources.songs {
            if let song = try await client.song(id: id) { songs.append(song) }
        }
        try await take(songs, clock)
        for id in resources.albums {
            guard let found = try await client.album(id: id) else { continue }
            try await take([ServerItemMarks(found.album)], .album, clock)
        }
        for id in resources.artists {
            guard let artist = try await client.artist(id: id) else { continue }
            try await take([ServerItemMarks(artist)], .artist, clock)
        }
        return takeChange()
    }

    /// True if the server has the database that the index was made of. One whose database is new has no stars, which
    /// does not mean that they were taken away.
    private func isKnownServer() async throws -> Bool {
        let probes = try await library.index.oldestServerSongs(limit: 3)
        for id in probes where try await client.song(id: id) != nil { return true }
        if !probes.isEmpty { try await library.forgetServerCatalog() }
        return probes.isEmpty
    }

    // MARK: Taking marks

    private func take(_ songs: [SubsonicSong], others: MarkFields = [], _ clock: Int64) async throws {
        if songs.isEmpty, others == [] { return }
        let isChanged = try await library.takeSongMarks(songs.map { ServerSongMarks($0) }, others: others, clock: clock)
        hasChanged = isChanged || hasChanged
    }

    private func take(
        _ marks: [ServerItemMarks], _ kind: MarkedKind, others: MarkFields = [], _ clock: Int64
    ) async throws {
        let isChanged = try await library.takeMarks(of: kind, marks, others: others, clock: clock)
        hasChanged = isChanged || hasChanged
    }

    private func takeChange() -> Bool {
        defer { hasChanged = false }
        return hasChanged
    }

    // MARK: Short lists

    private func readStars() async throws {
        let clock = try await library.markClock()
        guard let starred = try await unlessAbsent("getStarred2", { try await self.client.starred() }) else { return }
        try await take(starred.songs, others: .star, clock)
        try await take(starred.albums.map { ServerItemMarks($0) }, .album, others: .star, clock)
        try await take(starred.artists.map { ServerItemMarks($0) }, .artist, others: .star, clock)
    }

    private func readRatedAlbums() async throws {
        let clock = try await library.markClock()
        var rated: [ServerItemMarks] = []
        var received: Int
        repeat {
            let offset = rated.count
            let page = try await unlessAbsent("highest") {
                try await self.client.albums(ofType: "highest", offset: offset, count: self.settings.pageSize)
            }
            guard let page else { return }
            // Servers that know no ratings of albums sort by something else.
            let known = page.items.prefix { $0.userRating != nil }
            rated += known.map { ServerItemMarks($0) }
            received = known.count
        } while received == settings.pageSize
        try await take(rated, .album, others: .rating, clock)
    }

    /// Songs that other clients played are on the albums that were played last.
    private func readRecentAlbums() async throws {
        let page = try await unlessAbsent("recent") {
            try await self.client.albums(ofType: "recent", offset: 0, count: self.settings.recentAlbums)
        }
        var seen: [String: Int] = [:]
        for album in page?.items ?? [] {
            guard let plays = album.playCount else { continue }
            seen[album.id] = plays
            if recentAlbums[album.id] == plays { continue }
            let clock = try await library.markClock()
            if let found = try await client.album(id: album.id) { try await take(found.songs, clock) }
        }
        recentAlbums = seen
    }

    // MARK: Long lists, piece by piece

    private func readSongs() async throws {
        let songs = try await library.index.statistics().songs
        let pages = (songs + settings.pageSize - 1) / settings.pageSize
        let share = hasToReadAll ? pages + 1 : min(pages, max(2, (pages + settings.rounds - 1) / settings.rounds))
        if hasToReadAll { offsets[.song] = 0 }
        try await read(.song, pages: max(1, share), total: songs) { clock, offset, count in
            let page = try await self.client.songs(offset: offset, count: count)
            try await self.take(page.items, clock)
            return page.received
        }
    }

    private func readAlbums() async throws {
        try await read(.album, pages: 1) { clock, offset, count in
            let page = try await self.client.albums(offset: offset, count: count)
            try await self.take(page.items.map { ServerItemMarks($0) }, .album, clock)
            return page.received
        }
    }

    private func readArtists() async throws {
        try await read(.artist, pages: 1) { clock, offset, count in
            let page = try await self.client.artists(offset: offset, count: count)
            try await self.take(page.items.map { ServerItemMarks($0) }, .artist, clock)
            return page.received
        }
    }

    /// Reads a number of pages of a list from where it was left, and begins again at its end.
    private func read(
        _ kind: MarkedKind, pages: Int, total: Int? = nil,
        _ page: (_ clock: Int64, _ offset: Int, _ count: Int) async throws -> Int
    ) async throws {
        var remaining = pages
        var hasBegunAgain = false
        while remaining > 0 {
            let offset = offsets[kind] ?? 0
            let received = try await page(try await library.markClock(), offset, settings.pageSize)
            offsets[kind] = received == 0 || offset + received == total ? 0 : offset + received
            if received > 0 {
                remaining -= 1
            } else if offset == 0 || hasBegunAgain {
                return
            } else {
                hasBegunAgain = true
            }
        }
    }

    /// Makes a call that not every server has; nil where it hasn't, and then it is not made again. Another refusal
    /// leaves the list out this time, so that the lists after it are read.
    private func unlessAbsent<Value>(_ call: String, _ body: () async throws -> Value) async throws -> Value? {
        if absent.contains(call) { return nil }
        do {
            return try await body()
        } catch let error as SubsonicError where error.isAbsence {
            absent.insert(call)
        } catch let error as SubsonicError where error.code == .refused(code: 0) {
            logger.debug("\(call) is left out: \(chain: error)")
        }
        return nil
    }
}
