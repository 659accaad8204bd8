import LibraryIndex
import Logging
import MusicModel
package import Subsonic
import UserLibrary

/// Reading the server's marks.
extension MarkSync {
    /// Fetches the short lists and a piece of the long ones.
    ///
    /// - Returns: whether a sticker changed.
    /// - Throws: `SubsonicError`, `LibraryError`; what was read until then is kept.
    package func pull() async throws -> Bool {
        guard try await isKnownServer() else { return false }
        var hasChanged = false
        for list in [readStars, readRatedAlbums, readRecentAlbums, readSongs, readAlbums, readArtists] {
            if try await list() { hasChanged = true }
        }
        hasToReadAll = false
        return hasChanged
    }

    /// Checks what the server's events name.
    ///
    /// - Returns: whether a sticker changed.
    package func refresh(_ resources: NavidromeEvent.Resources) async throws -> Bool {
        let count = resources.songs.count + resources.albums.count + resources.artists.count
        guard count <= settings.maxHints else {
            hasToReadAll = true
            checkSoon()
            return false
        }
        let clock = try await library.markClock()
        var hasChanged = try await songsTouched(resources.songs)
        for id in resources.albums {
            guard let found = try await client.album(id: id) else { continue }
            if try await library.takeMarks(of: .album, [ServerItemMarks(found.album)], clock: clock) {
                hasChanged = true
            }
        }
        for id in resources.artists {
            guard let artist = try await client.artist(id: id) else { continue }
            if try await library.takeMarks(of: .artist, [ServerItemMarks(artist)], clock: clock) { hasChanged = true }
        }
        return hasChanged
    }

    /// Checks some songs, by the server's ids.
    ///
    /// - Returns: whether a sticker changed.
    package func songsTouched(_ ids: [String]) async throws -> Bool {
        if ids.isEmpty { return false }
        let clock = try await library.markClock()
        var marks: [ServerSongMarks] = []
        for id in ids {
            if let song = try await client.song(id: id) { marks.append(ServerSongMarks(song)) }
        }
        return try await library.takeSongMarks(marks, clock: clock)
    }

    /// True if the server has the database that the index was made of. One whose database is new has no stars, which
    /// does not mean that they were taken away.
    private func isKnownServer() async throws -> Bool {
        let probes = try await library.index.oldestServerSongs(limit: 3)
        for id in probes {
            if try await client.song(id: id) != nil { return true }
        }
        if !probes.isEmpty { try await library.forgetServerCatalog() }
        return probes.isEmpty
    }

    // MARK: Short lists

    private func readStars() async throws -> Bool {
        let clock = try await library.markClock()
        guard let starred = try await unlessAbsent("getStarred2", { try await self.client.starred() }) else {
            return false
        }
        let songs = try await library.takeSongMarks(
            starred.songs.map { ServerSongMarks($0) }, others: .star, clock: clock)
        let albums = try await library.takeMarks(
            of: .album, starred.albums.map { ServerItemMarks($0) }, others: .star, clock: clock)
        let artists = try await library.takeMarks(
            of: .artist, starred.artists.map { ServerItemMarks($0) }, others: .star, clock: clock)
        return songs || albums || artists
    }

    private func readRatedAlbums() async throws -> Bool {
        let clock = try await library.markClock()
        var rated: [ServerItemMarks] = []
        var received: Int
        repeat {
            let offset = rated.count
            let page = try await unlessAbsent("highest") {
                try await self.client.albums(ofType: "highest", offset: offset, count: self.settings.pageSize)
            }
            guard let page else { return false }
            // Servers that know no ratings of albums sort by something else.
            let known = page.items.prefix { $0.userRating != nil }
            rated += known.map { ServerItemMarks($0) }
            received = known.count
        } while received == settings.pageSize
        return try await library.takeMarks(of: .album, rated, others: .rating, clock: clock)
    }

    /// Songs that other clients played are on the albums that were played last.
    private func readRecentAlbums() async throws -> Bool {
        let page = try await unlessAbsent("recent") {
            try await self.client.albums(ofType: "recent", offset: 0, count: self.settings.recentAlbums)
        }
        var hasChanged = false
        var seen: [String: Int] = [:]
        for album in page?.items ?? [] {
            guard let plays = album.playCount else { continue }
            seen[album.id] = plays
            if recentAlbums[album.id] == plays { continue }
            let clock = try await library.markClock()
            guard let found = try await client.album(id: album.id) else { continue }
            if try await library.takeSongMarks(found.songs.map { ServerSongMarks($0) }, clock: clock) {
                hasChanged = true
            }
        }
        recentAlbums = seen
        return hasChanged
    }

    // MARK: Long lists, piece by piece

    private func readSongs() async throws -> Bool {
        let songs = try await library.index.statistics().songs
        let pages = (songs + settings.pageSize - 1) / settings.pageSize
        let share = hasToReadAll ? pages + 1 : min(pages, max(2, (pages + settings.rounds - 1) / settings.rounds))
        if hasToReadAll { offsets[.song] = 0 }
        return try await read(.song, pages: max(1, share), total: songs) { clock, offset, count in
            let page = try await self.client.songs(offset: offset, count: count)
            let marks = page.items.map { ServerSongMarks($0) }
            return (page.received, try await self.library.takeSongMarks(marks, clock: clock))
        }
    }

    private func readAlbums() async throws -> Bool {
        try await read(.album, pages: 1) { clock, offset, count in
            let page = try await self.client.albums(offset: offset, count: count)
            let marks = page.items.map { ServerItemMarks($0) }
            return (page.received, try await self.library.takeMarks(of: .album, marks, clock: clock))
        }
    }

    private func readArtists() async throws -> Bool {
        try await read(.artist, pages: 1) { clock, offset, count in
            let page = try await self.client.artists(offset: offset, count: count)
            let marks = page.items.map { ServerItemMarks($0) }
            return (page.received, try await self.library.takeMarks(of: .artist, marks, clock: clock))
        }
    }

    /// Reads a number of pages of a list from where it was left, and begins again at its end.
    private func read(
        _ kind: MarkedKind, pages: Int, total: Int? = nil,
        _ page: (_ clock: Int64, _ offset: Int, _ count: Int) async throws -> (received: Int, hasChanged: Bool)
    ) async throws -> Bool {
        var hasChanged = false
        var remaining = pages
        var hasBegunAnew = false
        while remaining > 0 {
            let offset = offsets[kind] ?? 0
            let clock = try await library.markClock()
            let (received, changed) = try await page(clock, offset, settings.pageSize)
            if changed { hasChanged = true }
            offsets[kind] = received == 0 || offset + received == total ? 0 : offset + received
            if received > 0 {
                remaining -= 1
            } else if offset == 0 || hasBegunAnew {
                break
            } else {
                hasBegunAnew = true
            }
        }
        return hasChanged
    }

    /// Makes a call that not every server has; nil where it hasn't, and then it is not made again. Another refusal
    /// leaves the list out this time, so that the lists after it are read.
    private func unlessAbsent<Value>(_ call: String, _ body: () async throws -> Value) async throws -> Value? {
        if absent.contains(call) { return nil }
        do {
            return try await body()
        } catch let error as SubsonicError where error.isMissingCall {
            absent.insert(call)
            return nil
        } catch let error as SubsonicError where error.code == .refused(code: 0) {
            logger.debug("\(call) is left out: \(chain: error)")
            return nil
        }
    }
}
