import Logging
import MusicModel
import Subsonic

/// Navidrome's own API as the sync uses it: what it tells of all songs, and which albums its scans touched.
///
/// Each scan notes the time with every album of which a song came, changed, moved or went. So the albums that were
/// touched since the last walk have all that changed, and nothing else has to be read (decision 150).
struct NavidromeCatalog: Sendable {
    struct Part: Sendable {
        /// As the Subsonic API tells them.
        var songs: [SubsonicSong] = []
        /// As Navidrome's own does, those whose files are gone among them.
        var own: [NavidromeSong] = []
        var details = CatalogDetails()
    }

    /// More songs than an album has; of one that has more, everything is read.
    private static let maxSongs = 2000
    /// More artists than some albums have.
    private static let maxArtists = 500

    let session: NavidromeSession
    let client: SubsonicClient
    let settings: SyncSettings

    // MARK: Everything

    func details() async throws -> CatalogDetails {
        var details = CatalogDetails()
        try await settings.everyPage(of: client, session.allSongs(from:count:)) { song in
            if !song.isMissing { details.songs[song.id] = song.details }
        }
        try await settings.everyPage(of: client, session.allArtists(from:count:)) { details.add($0) }
        details.ownAPI = .read
        return details
    }

    // MARK: What changed

    /// When an album was touched last, in Unix milliseconds; nil where the server doesn't tell.
    func lastTouch() async throws -> Int64? {
        try await session.afterSignIn { try await session.touchedAlbums(from: 0, count: 1).items.first?.touched }
    }

    /// The albums that were touched since a time in Unix milliseconds, and when the last of them was; nil where the
    /// server doesn't tell, or where there are more than `count`.
    func touched(since last: Int64, atMost count: Int) async throws -> (ids: [String], last: Int64)? {
        let page = try await session.touchedAlbums(from: 0, count: count + 1)
        let albums = page.items.compactMap { album in album.touched.map { (id: album.id, time: $0) } }
        // A server that sorts by something else does not tell, and one whose time went back has another database or
        // clock.
        guard page.skipped == 0, albums.count == page.items.count, let newest = albums.first?.time, newest >= last,
            zip(albums, albums.dropFirst()).allSatisfy({ $0.time >= $1.time })
        else { return nil }
        let new = albums.filter { $0.time > last }
        return new.count <= count ? (new.map(\.id), newest) : nil
    }

    /// Reads the songs of albums; nil where both APIs don't tell of the same songs, as while the server scans.
    func songs(ofAlbums ids: [String]) async throws -> Part? {
        var part = Part()
        for found in try await ids.concurrentMap(atMost: settings.pagesInFlight, { try await songs(ofAlbum: $0) }) {
            part.songs += found.songs
            part.own += found.own
            part.details.add(albumsOf: found.details)
        }
        let listed = part.own.filter { !$0.isMissing }
        let own = Dictionary(listed.map { ($0.id, $0.details) }) { first, _ in first }
        guard own.count == listed.count, own.count == part.songs.count,
            part.songs.allSatisfy({ own[$0.id] != nil })
        else { return nil }
        for (id, details) in own { part.details.songs[id] = details }
        part.details.ownAPI = .read
        let artists = Set(part.songs.flatMap(\.artistIDs))
        guard artists.count <= Self.maxArtists else { return nil }
        for artist in try await session.artists(artists.sorted()) { part.details.add(artist) }
        return part
    }

    private func songs(ofAlbum id: String) async throws -> Part {
        async let listing = client.album(id: id)
        let own = try await session.songs(ofAlbum: id, count: Self.maxSongs)
        var part = Part(own: own.items)
        guard own.received < Self.maxSongs else {
            throw SubsonicError(.unsupported, "An album has more than \(Self.maxSongs) songs.")
        }
        if let (album, songs) = try await listing {
            part.songs = songs
            part.details.add(album)
        }
        return part
    }
}

extension NavidromeSession {
    /// Makes a call once more where another one signs in at the same moment, whose session will do.
    func afterSignIn<Value>(_ call: () async throws -> Value) async throws -> Value {
        do {
            return try await call()
        } catch let error as SubsonicError where error.code == .rateLimited {
            try await Task.sleep(for: .seconds(1))
            return try await call()
        }
    }
}

extension SubsonicSong {
    /// The ids of all that took part in it.
    fileprivate var artistIDs: [String] {
        (artists + albumArtists + contributors.map(\.artist)).compactMap(\.id)
    }
}
