import Coordination
import Foundation
import GStreamerAudio
import LibraryIndex
import IndexSync
import Logging
import MusicModel
import PlaylistFetching
import SegueConfiguration
import SongDetails
import StateFiles
import Subsonic
import MediaCache
import UserLibrary
import UserSync

/// Where songs come from: the index, the server with its caches, and the music folder.
final class Sources: Sendable {
    let library: Library
    let client: SubsonicClient?
    let tracks: TrackCache
    let covers: CoverArtCache?
    let lyrics: LyricsCache?
    /// Pictures of folders and of the web in the sizes of screens.
    let scaledPictures: ScaledPictureCache
    /// The gate for requests for pictures and lyrics.
    let requests = RequestGate()
    /// Keeps bookmarks the same here and on the server; nil without a server, or when they are switched off.
    let bookmarks: BookmarkUpstream?
    let remotePlaylists: RemotePlaylists
    private let configuration: Configuration

    /// The names of pictures in folders of music.
    var coverNames: [String] { configuration.local?.coverNames ?? LibraryPictures.usualCoverNames }
    /// Keeps stars, ratings and plays the same here and on the server; nil without one.
    let marks: MarkSync?
    /// The way to the server's events.
    private let session: NavidromeSession?
    private let credentialsPath: String
    /// Folders that clients mounted and that are mounted again.
    private let mounted: [(name: String, folder: String)]
    /// Those of them that were added, and are not saved.
    let newMounts: [(name: String, folder: String)]

    /// Opens the index and prepares the connections; the network is not touched.
    ///
    /// - Parameter added: folders to mount beside the saved ones, unless their names are taken.
    init(
        _ configuration: Configuration, state: StateDirectory, mounting added: [(name: String, folder: String)] = [],
        log: Logger
    ) throws {
        self.configuration = configuration
        let library = try Library(
            state.database, configuration, MemoryBudget(configuration.server, log: log))
        remotePlaylists = RemotePlaylists(configuration, library.memoryBudget)
        if let rescue = library.rescue { log.error("\(rescue)") }
        self.library = library
        for shown in configuration.playlists.shown {
            guard let kind = VirtualPlaylist.OfSongs(rawValue: shown.rawValue) else { continue }
            library.virtualPlaylists.add(VirtualPlaylist(kind))
        }
        if configuration.playlists.shown.contains(.radio) { library.virtualPlaylists.add(.radio) }
        (mounted, newMounts) = Self.mounts(saved: try library.savedMounts(), added: added, configuration, log)
        let settings = try SubsonicSettings.reaching(configuration, state: state)
        let client = settings.map { SubsonicClient($0, log: Logger(label: "segue.navidrome")) }
        self.client = client
        session = client.flatMap { client in
            settings.map { NavidromeSession(client, keptIn: state, for: $0) }
        }
        marks = client.map { MarkSync(library: library, client: $0, logger: Logger(label: "segue.marks")) }
        credentialsPath = state.credentials
        let cacheDirectory = configuration.server.cacheDirectory
        let navidrome = configuration.navidrome
        tracks = try TrackCache(
            directory: cacheDirectory + "/tracks", byteLimit: configuration.cache.size,
            keepFree: configuration.cache.keepFree, client: client,
            form: TrackForm(format: navidrome?.format ?? "raw", maxBitRate: navidrome?.maxBitrate),
            resolve: { try await library.index.source(of: $0) }, log: Logger(label: "segue.cache"))
        let requests = requests
        covers = try client.map { try CoverArtCache(configuration, $0, requests) }
        scaledPictures = try ScaledPictureCache(configuration)
        lyrics = try client.map { try LyricsCache(configuration, $0, requests) }
        bookmarks = configuration.playback.resumeLongSongs.flatMap { _ in
            client.map {
                BookmarkUpstream(library: library, client: $0, logger: Logger(label: "segue.bookmarks"))
            }
        }
    }

    /// Puts the configuration's radio stations into the index.
    @concurrent
    func keepStations() async throws {
        let stations = configuration.stations.map { Station($0) }
        _ = try await library.replaceStations(stations, from: .configuration)
        let servers = [configuration.navidrome].compactMap { $0.map { StationSource.server(mount: $0.mount) } }
        try await library.removeStations(besides: [.configuration] + servers)
    }

    /// Makes the service that keeps the index up to date.
    func makeSync(observer: SyncObserver, interval: Duration?, log: Logger) -> LibrarySync {
        var settings = SyncSettings()
        if let interval { settings.interval = interval }
        settings.mountRoots = configuration.server.mountRoots
        settings.links = LinkRules(
            followsOutside: configuration.local?.followsOutsideLinks ?? true,
            followsInside: configuration.local?.followsInsideLinks ?? true)
        let folders = configuration.local ?? Configuration.Local()
        settings.watching = FolderWatching(
            isOn: folders.autoUpdate,
            interval: folders.autoUpdateInterval > 0 ? .seconds(folders.autoUpdateInterval) : nil)
        settings.cueSheets = CueSheetRules(
            makesSongs: folders.cueSheets, hidesFiles: folders.hidesCueTargets, charset: folders.legacyCharset)
        settings.cueFolder = configuration.navidrome?.cueFolder
        AudioFileReader.useLegacyCharset(folders.legacyCharset)
        return LibrarySync(
            library: library,
            server: client.map {
                ServerSource(
                    mount: configuration.navidrome?.mount ?? "", client: $0, session: session, marks: marks,
                    storedCredential: storedCredential)
            },
            folder: configuration.local.map {
                FolderSource(mount: $0.mount, musicDirectory: $0.musicDirectory, reader: GStreamerTagReader())
            },
            mounted: mounted.map {
                FolderSource(mount: $0.name, musicDirectory: $0.folder, reader: GStreamerTagReader())
            }, mountReader: GStreamerTagReader(), settings: settings, observer: observer,
            logger: Logger(label: "segue.sync"))
    }

    /// Makes the service that saves the queue on the server and shows that of others; nil without a server.
    ///
    /// - Parameter changed: called when the playlist of the others' queue comes, goes, or has other songs.
    func makeQueueKeeper(changed: @escaping @Sendable () -> Void) -> QueueKeeper? {
        client.map { client in
            let keeper = QueueKeeper(
                client: client, library: library, savesQueue: configuration.navidrome?.saveQueue ?? false,
                changed: changed, logger: Logger(label: "segue.queue"))
            if !configuration.playlists.hidden.contains(.navidromeQueue) {
                library.virtualPlaylists.add(keeper.playlist)
            }
            return keeper
        }
    }

    /// Makes the service that sends what clients change to the server; nil without a server.
    ///
    /// - Parameter observer: hears of what the server had to say meanwhile.
    func makeUpstream(observer: SyncObserver) -> Upstream? {
        client.map { client in
            let playlists = PlaylistWriter(
                client: client, library: library, changed: { observer.subsystemsChanged(.storedPlaylist) },
                logger: Logger(label: "segue.playlists"))
            let writers: [(any UpstreamWriting)?] = [playlists, marks, bookmarks]
            return Upstream(
                writers: writers.compactMap { $0 }, noteWaiting: { client.note("edits", waits: $0) },
                logger: Logger(label: "segue.upstream"))
        }
    }

    /// Reads what `segue login` stored meanwhile; nil where the configuration has a password of its own, or where the
    /// stored one is of another server or user.
    private var storedCredential: @Sendable () -> SubsonicSettings.Credential? {
        guard let navidrome = configuration.navidrome, navidrome.password == nil else { return { nil } }
        let path = credentialsPath
        // The file that this process started with, for what the configuration leaves out.
        let read = { @Sendable () -> CredentialsFile? in
            do { return try CredentialsFile.read(from: path) } catch {
                Logger(label: "segue.navidrome").warning("the login that was stored can't be used: \(chain: error)")
                return nil
            }
        }
        let first = read()
        let (url, username) = (navidrome.url ?? first?.url, navidrome.username ?? first?.username)
        return {
            guard let stored = read(), stored.url == url, stored.username == username else { return nil }
            return .token(salt: stored.salt, token: stored.token)
        }
    }

    /// The mounts as clients see them; a source at the root is no mount of its own.
    var mounts: [(path: String, storage: String)] {
        Self.configuredMounts(configuration) + mounted.map { (path: $0.name, storage: $0.folder) }
    }

    /// The folders to mount, and those of them that nothing has saved.
    private static func mounts(
        saved: [(name: String, uri: String)], added: [(name: String, folder: String)], _ configuration: Configuration,
        _ log: Logger
    ) -> (all: [(name: String, folder: String)], new: [(name: String, folder: String)]) {
        let configured = Set(configuredMounts(configuration).map(\.path))
        for mount in saved where configured.contains(mount.name) {
            log.warning("the mount \(mount.name) of a client is left out: the configuration has one of that name")
        }
        let known = configured.union(saved.map(\.name))
        let new = added.filter { !known.contains($0.name) }
        let kept = saved.filter { !configured.contains($0.name) }.map { (name: $0.name, folder: $0.uri) }
        return (kept + new, new)
    }

    private static func configuredMounts(_ configuration: Configuration) -> [(path: String, storage: String)] {
        let server = configuration.navidrome.map { (path: $0.mount, storage: "navidrome") }
        let folder = configuration.local.map { (path: $0.mount, storage: $0.musicDirectory) }
        return [server, folder].compactMap { $0 }.filter { !$0.path.isEmpty }
    }

    /// Closes the connections, then the index.
    func close() async {
        tracks.shutDown()
        await client?.shutDown()
        do { try library.close() } catch {
            Logger(label: "segue").error("the database can't be closed: \(chain: error)")
        }
    }
}

extension CoverArtCache {
    /// Keeps the server's pictures in the size and the space of the configuration.
    fileprivate convenience init(
        _ configuration: Configuration, _ client: SubsonicClient, _ gate: RequestGate
    ) throws {
        let cache = configuration.cache
        try self.init(
            directory: configuration.server.cacheDirectory + "/covers", byteLimit: cache.coverSpace,
            keepFree: cache.keepFree, size: cache.coverSize, client: client, gate: gate,
            log: Logger(label: "segue.cache"))
    }
}

extension LyricsCache {
    /// Keeps the server's lyrics.
    fileprivate convenience init(
        _ configuration: Configuration, _ client: SubsonicClient, _ gate: RequestGate
    ) throws {
        try self.init(
            directory: configuration.server.cacheDirectory + "/lyrics", keepFree: configuration.cache.keepFree,
            client: client, gate: gate, log: Logger(label: "segue.cache"))
    }
}

extension ScaledPictureCache {
    /// Keeps as much as the cache of the server's pictures.
    fileprivate convenience init(_ configuration: Configuration) throws {
        try self.init(
            directory: configuration.server.cacheDirectory + "/pictures", byteLimit: configuration.cache.coverSpace,
            keepFree: configuration.cache.keepFree, log: Logger(label: "segue.cache"))
    }
}

extension Station {
    /// Takes what the page shows along; a path is told from an address by its first letter.
    fileprivate init(_ station: Configuration.Station) {
        self.init(
            name: station.name, url: station.url,
            picture: station.picture.map { $0.hasPrefix("/") ? .file($0) : .address($0) }, country: station.country,
            genre: station.genre, homepage: station.homepage)
    }
}

extension NavidromeSession {
    /// A session that a token kept in the state directory carries on where no password is known.
    fileprivate convenience init(_ client: SubsonicClient, keptIn state: StateDirectory, for settings: SubsonicSettings)
    {
        if case .password = settings.credential {
            self.init(client)
        } else {
            let file = SessionFile(path: state.session, url: settings.url, username: settings.username)
            let log = Logger(label: "segue.navidrome")
            let keep = { @Sendable (token: String) in
                do { try file.keep(token) } catch {
                    log.warning("changes will be noticed a little later after a restart: \(chain: error)")
                }
            }
            self.init(client, token: file.token, renewed: keep)
        }
    }
}

extension SubsonicSettings {
    /// The server of the configuration, with the credential that `segue login` kept where the configuration has none.
    ///
    /// - Throws: `CommandFailure` when there is no credential.
    init(_ navidrome: Configuration.Navidrome, state: StateDirectory) throws {
        let stored = try CredentialsFile.read(from: state.credentials)
        guard let url = navidrome.url ?? stored?.url, let username = navidrome.username ?? stored?.username else {
            throw CommandFailure(
                "[navidrome] names no url and username. Add them, or run `segue login URL USER`, which keeps them.")
        }
        if let password = navidrome.password {
            self.init(url: url, username: username, credential: .password(password.reveal()))
        } else if let stored, stored.url == url, stored.username == username {
            self.init(url: url, username: username, credential: .token(salt: stored.salt, token: stored.token))
        } else {
            throw CommandFailure(
                "there is no password for \(username) at the server. Run `segue login \(url) \(username)`, or set "
                    + "navidrome.password_file or SEGUE_NAVIDROME_PASSWORD.")
        }
    }
}
