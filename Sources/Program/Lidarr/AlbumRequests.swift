import Coordination
import Foundation
import Logging
import MusicModel
import WebAPI

/// The albums that people here have requested of Lidarr. The state of those that aren't there yet is polled: often
/// while a page shows them, now and then otherwise, and not at all when there are none.
actor AlbumRequests: AlbumRequesting {
    /// How many are kept; of those that are there, the oldest make room.
    private static let maxAlbums = 200
    /// How many addresses of pictures are kept before the next search.
    private static let maxPictures = 600
    /// How many searches and requests all clients together may make in a minute.
    private static let maxPerMinute = 30
    /// For how long after a check of the list it counts as shown.
    private static let shownFor = Duration.seconds(60)

    private let client: LidarrClient
    private let settings: LidarrSettings
    private let path: String?
    private let log: Logger
    private let changed: @Sendable (_ hasArrived: Bool) -> Void
    private var albums: [RequestedAlbum]
    private var searches = 0
    private var minute: ContinuousClock.Instant?
    private var lastRead: ContinuousClock.Instant?
    private var isSearching = false
    private var pictures: [String: String] = [:]
    private nonisolated let alarm = Alarm()

    /// Knows what was requested before, as a file keeps it; nothing is asked before `run` or a search. `changed` is
    /// called after a request has changed, and says whether an album has come.
    init(
        _ settings: LidarrSettings, path: String?, log: Logger,
        changed: @escaping @Sendable (_ hasArrived: Bool) -> Void
    ) {
        (self.settings, self.path, self.log, self.changed) = (settings, path, log, changed)
        client = LidarrClient(settings, log: log)
        albums = path.map { Self.read($0, log) } ?? []
    }

    // MARK: What clients ask

    func list() -> [RequestedAlbum] {
        let wasShown = isShown
        lastRead = .now
        if !wasShown, hasOpen { alarm.ring() }
        return albums.reversed()
    }

    func search(_ words: String) async throws -> (albums: [RequestedAlbum], artists: [String]) {
        var artists: [String] = []
        let albums = try await asking {
            let found = try await client.search(words)
            artists = found.artists
            return found.albums
        }
        return (albums, artists)
    }

    func missing(of artist: String) async throws -> [RequestedAlbum] {
        try await asking { try await client.missing(of: artist) }
    }

    /// Asks Lidarr once at a time, and notes what was found.
    private func asking(_ body: () async throws -> [RequestedAlbum]) async throws -> [RequestedAlbum] {
        try count()
        guard !isSearching else {
            throw AlbumRequestError(.tooMany, "Lidarr is busy with another search; try again in a moment.")
        }
        isSearching = true
        defer { isSearching = false }
        let found = try await body()
        if pictures.count > Self.maxPictures { pictures = [:] }
        for album in found { pictures[album.id] = album.picture }
        return found.map { album in albums.first { $0.id == album.id } ?? album }
    }

    func picture(of id: String) -> String? { albums.first { $0.id == id }?.picture ?? pictures[id] }

    func request(_ id: String, by: String) async throws -> RequestedAlbum {
        guard RequestedAlbum.isID(id) else {
            throw AlbumRequestError(.notFound, "Lidarr's catalogue has no such album.")
        }
        let id = id.lowercased()
        if let known = albums.first(where: { $0.id == id }), known.state != .missing, known.state != .new {
            return known
        }
        try count()
        guard albums.count(where: { !$0.isFinished }) < Self.maxAlbums else {
            throw AlbumRequestError(
                .tooMany, "There are \(Self.maxAlbums) open requests already; wait until some arrive.")
        }
        var album = try await client.request(id)
        album.requested = Int64(Date().timeIntervalSince1970)
        album.by = String(by.prefix(utf8: 240).prefix(80))
        log.notice("an album was requested", metadata: ["album": "\(album.title)", "artist": "\(album.artist)"])
        albums.removeAll { $0.id == id }
        while albums.count >= Self.maxAlbums, let oldest = albums.firstIndex(where: \.isFinished) {
            albums.remove(at: oldest)
        }
        albums.append(album)
        keep()
        changed(album.state == .here)
        alarm.ring()
        return album
    }

    /// Counts what goes out to Lidarr and through it to services of others.
    private func count() throws(AlbumRequestError) {
        let now = ContinuousClock.now
        if let minute, now - minute < .seconds(60) {
            guard searches < Self.maxPerMinute else {
                throw AlbumRequestError(.tooMany, "Too many searches in the last minute; wait a little.")
            }
            searches += 1
        } else {
            (minute, searches) = (now, 1)
        }
    }

    // MARK: How far they are

    private var hasOpen: Bool { albums.contains { !$0.isFinished } }
    private var isShown: Bool { lastRead.map { .now - $0 < Self.shownFor } ?? false }

    /// Polls the state of open requests until the task is cancelled.
    func run() async {
        do {
            let version = try await client.check()
            log.info("requests go to Lidarr \(version)")
        } catch {
            log.warning("no albums can be requested for now: \(chain: error)")
        }
        while !Task.isCancelled {
            guard hasOpen else {
                await alarm.wait(atMost: nil)
                continue
            }
            await alarm.wait(atMost: isShown ? settings.shownInterval : settings.interval)
            await poll()
        }
    }

    private func poll() async {
        var hasChanged = false
        var hasArrived = false
        for id in albums.filter({ !$0.isFinished }).map(\.id) {
            do {
                let now = try await client.state(of: id)
                guard let index = albums.firstIndex(where: { $0.id == id }) else { continue }
                var album = albums[index]
                album.take(now)
                guard album != albums[index] else { continue }
                (hasChanged, hasArrived) = (true, hasArrived || album.isFinished)
                albums[index] = album
            } catch {
                // The others would wait for the same; the next poll tries again.
                log.debug("the state of requests is not known: \(chain: error)")
                break
            }
        }
        guard hasChanged else { return }
        keep()
        changed(hasArrived)
    }

    // MARK: The file

    /// More than the file of that many albums can be, with the longest texts that are kept of one.
    private static let maxFileSize = 4 << 20

    private func keep() {
        guard let path else { return }
        do {
            try JSONEncoder().encode(albums).write(to: URL(filePath: path), options: .atomic)
        } catch {
            log.error("can't save requests in \(path): \(chain: error)")
        }
    }

    private static func read(_ path: String, _ log: Logger) -> [RequestedAlbum] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        do {
            guard data.count <= maxFileSize else { throw AlbumRequestError(.tooMany, "the file is larger than 4 MiB") }
            return try JSONDecoder().decode([RequestedAlbum].self, from: data).suffix(Self.maxAlbums)
        } catch {
            log.warning("can't read the requests in \(path), which are lost: \(chain: error)")
            return []
        }
    }
}

extension RequestedAlbum {
    /// Takes over how far it is; nil is an album that Lidarr does not have any more.
    fileprivate mutating func take(_ now: RequestedAlbum?) {
        guard let now else {
            // An artist that was added a moment ago has no albums before its first scan.
            let age = Int64(Date().timeIntervalSince1970).subtractingReportingOverflow(requested ?? 0).partialValue
            if age > 600 { (state, percent, problem) = (.missing, nil, nil) }
            return
        }
        (state, songs, percent, problem) = (now.state, now.songs ?? songs, now.percent, now.problem)
    }
}
