import AudioFiles
import Coordination
import Extensions
import Foundation
import LibraryIndex
import Logging
import MediaCache
import MediaLookup
import MusicModel
import NetworkAddresses
import SegueConfiguration
import Subsonic
import Sync
import UserLibrary

/// Where songs come from: the index, the server with its caches, and the music folder.
final class Sources: LibrarySources {
    let library: Library
    let client: SubsonicClient?
    let tracks: TrackCache
    let covers: CoverArtCache?
    let lyrics: LyricsCache?
    /// Pictures of folders and of the web in the sizes of screens.
    let scaledPictures: ScaledPictureCache
    let requests = RequestGate()
    /// Keeps bookmarks the same here and on the server; nil without a server, or when they are switched off.
    let bookmarks: BookmarkUpstream?
    let remotePlaylists: RemotePlaylists
    let streamResolver: StreamResolver
    private let configuration: Configuration

    var coverNames: [String] { configuration.local?.coverNames ?? LibraryPictures.usualCoverNames }
    /// Keeps stars, ratings and plays the same here and on the server; nil without one.
    let marks: MarkSync?
    let session: NavidromeSession?
    private let state: StateDirectory
    /// The configuration's mounts, and the folders that clients mounted.
    let mounts: MountTable
    /// Keeps those of other machines mounted; nil where no extension does.
    let storages: (any StorageService)?

    /// Opens the index, in which the configuration's stations are from then on, and prepares the connections; the
    /// network is not touched.
    /// - Parameters:
    ///   - added: folders to mount in addition to the saved ones, unless their names are taken.
    ///   - written: called after every transaction, on the thread that wrote; it must not block.
    init(
        _ configuration: Configuration, state: StateDirectory, mounting added: [(name: String, folder: String)] = [],
        written: @escaping @Sendable () -> Void = {}, log: Logger
    ) async throws {
        let library = try Self.library(configuration, state, written: written, log: log)
        remotePlaylists = RemotePlaylists(
            hosts: PlaylistHosts(allowed: configuration.playlists.privateHosts), memoryBudget: library.memoryBudget,
            proxy: configuration.http.proxyInUse)
        streamResolver = StreamResolver(
            playlists: remotePlaylists,
            program: configuration.resolver.map { StreamProgram($0, log: Logger(label: "segue.resolver")) })
        (self.configuration, self.state, self.library) = (configuration, state, library)
        let storages = Self.storages(in: state.storages)
        self.storages = storages
        mounts = MountTable(
            configured: MountTable.Mount.configured(configuration),
            saved: try library.savedMounts().map { MountTable.Mount(name: $0.name, uri: $0.uri, storages) },
            added: added.map { MountTable.Mount(name: $0.name, uri: $0.folder, storages) })
        for mount in mounts.folders where mount.network != nil { await storages?.keep(mount.uri, at: mount.name) }
        for name in mounts.leftOut { log.warning("skipping a client's mount \(name): the configuration has its name") }
        let settings = try SubsonicSettings.reaching(configuration, state: state)
        let client = settings.map { SubsonicClient($0, log: Logger(label: "segue.navidrome")) }
        self.client = client
        session = client.flatMap { client in settings.map { NavidromeSession(client, keptIn: state, for: $0) } }
        marks = client.map { MarkSync(library: library, client: $0, logger: Logger(label: "segue.marks")) }
        let (cache, folder) = (configuration.cache, configuration.server.cacheDirectory)
        let cacheLog = Logger(label: "segue.cache")
        tracks = try TrackCache(
            directory: folder + "/tracks", byteLimit: cache.size, keepFree: cache.keepFree, client: client,
            form: configuration.navidrome?.form ?? TrackForm(),
            canDecode: { AudioFileReader.supportedSuffixes.contains($0) },
            resolve: { try await library.index.source(of: $0) }, log: cacheLog)
        let requests = requests
        covers = try client.map {
            try CoverArtCache(
                directory: folder + "/covers", byteLimit: cache.coverSpace, keepFree: cache.keepFree,
                size: cache.coverSize, client: $0, gate: requests, log: cacheLog)
        }
        scaledPictures = try ScaledPictureCache(
            directory: folder + "/pictures", byteLimit: cache.coverSpace, keepFree: cache.keepFree,
            memoryBudget: library.memoryBudget, log: cacheLog)
        lyrics = try client.map {
            try LyricsCache(
                directory: folder + "/lyrics", keepFree: cache.keepFree, client: $0, gate: requests, log: cacheLog)
        }
        bookmarks = configuration.playback.resumeLongSongs.flatMap { _ in
            client.map { BookmarkUpstream(library: library, client: $0, logger: Logger(label: "segue.bookmarks")) }
        }
        try await keepStations()
    }

    private static func library(
        _ configuration: Configuration, _ state: StateDirectory, written: @escaping @Sendable () -> Void, log: Logger
    ) throws -> Library {
        // One that fits the machine, unless the configuration says another.
        let limit = configuration.server.memoryBudget.map { Int(clamping: $0) } ?? ProcessMemory.standardBudget()
        let library = try Library(
            path: state.database, playlistLimit: configuration.server.maxPlaylistLength,
            // Beyond the caches' share, which they leave free for the state: an eighth is enough for it.
            keepFree: configuration.cache.keepFree / 8, rescuesDamage: true,
            memoryBudget: MemoryBudget(limit: limit == 0 ? nil : limit, report: { log.warning("\($0)") }),
            written: written)
        // Files next to songs, such as a link that is called like a cover, don't show the program's own.
        for path in [state.path, configuration.server.cacheDirectory, configuration.file].compactMap(\.self) {
            SideFile.keep(apart: path)
        }
        if let rescue = library.rescue { log.error("\(rescue)") }
        if let damage = library.journalDamage { log.error("\(damage)") }
        for playlist in configuration.playlists.shown.compactMap({ VirtualPlaylist($0) }) {
            library.virtualPlaylists.add(playlist)
        }
        return library
    }

    /// Mounts network storages, with links to them in a folder; nil where no extension does.
    static func storages(in folder: String) -> (any StorageService)? {
        extensions.lazy.compactMap { $0.storages(in: folder) }.first
    }

    @concurrent
    private func keepStations() async throws {
        _ = try await library.replaceStations(configuration.stations, from: .configuration)
        let servers = [configuration.navidrome].compactMap { $0.map { StationSource.server(mount: $0.mount) } }
        try await library.removeStations(besides: [.configuration] + servers)
    }

    func makeSync(observer: SyncObserver, log: Logger) -> LibrarySync {
        var settings = SyncSettings()
        settings.mountRoots = configuration.server.mountRoots
        settings.folders = configuration.folders
        if let navidrome = configuration.navidrome { settings.server = navidrome.reading }
        return LibrarySync(
            library: library,
            server: client.map {
                ServerSource(
                    mount: configuration.navidrome?.mount ?? "", client: $0, session: session, marks: marks,
                    storedCredential: StoredLogin.reader(
                        configuration.navidrome, state: state, log: Logger(label: "segue.navidrome")))
            },
            folder: configuration.local.map {
                FolderSource(mount: $0.mount, musicDirectory: $0.musicDirectory, reader: GStreamerTagReader())
            },
            mounted: mounts.folders.map {
                FolderSource(
                    mount: $0.name, musicDirectory: $0.folder, reader: GStreamerTagReader(), isRemote: $0.network != nil
                )
            }, mountReader: GStreamerTagReader(), settings: settings, observer: observer,
            logger: Logger(label: "segue.sync"))
    }

    /// Makes the service that saves the queue on the server and shows that of others, which may have `changed`; nil
    /// without a server.
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

    func makeUpstream(observer: SyncObserver) -> Upstream? {
        client.map { client in
            let playlists = PlaylistWriter(
                client: client, library: library, changed: { observer.subsystemsChanged(.storedPlaylist) },
                logger: Logger(label: "segue.playlists"))
            let writers: [(any UpstreamWriting)?] = [playlists, marks, bookmarks]
            return Upstream(
                writers: writers.compactMap { $0 }, work: library.upstreamWork,
                noteWaiting: { client.reachability.note("edits", waits: $0) }, logger: Logger(label: "segue.upstream"))
        }
    }

    func close() async {
        tracks.shutDown()
        await client?.shutDown()
        do { try library.close() } catch {
            Logger(label: "segue").error("the database was not closed as usual: \(chain: error)")
        }
    }
}

extension MountTable.Mount {
    fileprivate init(name: String, uri: String, _ storages: (any StorageService)?) {
        if let network = storages?.storage(at: uri) {
            self.init(name: name, network: network)
        } else {
            self.init(name: name, storage: uri)
        }
    }

    fileprivate static func configured(_ configuration: Configuration) -> [MountTable.Mount] {
        let server = configuration.navidrome.map { MountTable.Mount(name: $0.mount, storage: "navidrome") }
        let folder = configuration.local.map { MountTable.Mount(name: $0.mount, storage: $0.musicDirectory) }
        return [server, folder].compactMap(\.self)
    }
}

/// This program, for commands of extensions.
struct Program: ProgramAccess {
    let sections = extensionSections

    func open(
        _ configuration: Configuration, _ state: StateDirectory, mounting added: [(name: String, folder: String)],
        _ log: Logger
    ) async throws -> any LibrarySources {
        // The one other thread waits here meanwhile.
        await configuration.setEnvironment()
        return try await Sources(configuration, state: state, mounting: added, log: log)
    }

    func serve(_ configuration: Configuration, ready: @Sendable (_ pages: [String]) -> Void) async throws {
        try await Serving.run(configuration, ready: ready)
    }

    func storages(in folder: String) -> (any StorageService)? { Sources.storages(in: folder) }
}

/// Lets the folder scan read tags with GStreamer.
struct GStreamerTagReader: TagReading {
    var version: String { AudioFileReader.version }

    func read(path: String) throws -> ScannedTags {
        let file: ScannedFile
        do { file = try AudioFileReader.read(path: path) } catch let error as AudioFileError {
            switch error.kind {
            case .unusable: throw error
            case .hanging: throw UnreadFile(.tookTooLong, error.message, cause: error)
            case .outOfReach: throw UnreadFile(.outOfReach, error.message, cause: error)
            }
        }
        return ScannedTags(
            tags: file.tags, duration: file.duration, format: file.format, replayGain: file.replayGain,
            cueSheet: file.cueSheet)
    }
}

extension SubsonicSettings {
    /// The server of the configuration, and the proxy on the way to it; nil without a server.
    static func reaching(_ configuration: Configuration, state: StateDirectory) throws -> SubsonicSettings? {
        guard let navidrome = configuration.navidrome else { return nil }
        var settings = try SubsonicSettings(
            navidrome, stored: try CredentialsFile.read(from: state.credentials))
        settings.clientName = clientName(
            on: ProcessInfo.processInfo.hostName, stateDirectory: configuration.server.stateDirectory)
        settings.proxy = configuration.http.proxyInUse
        settings.allowMedia(PlaylistHosts(allowed: configuration.playlists.privateHosts))
        return settings
    }

    /// Lets the server have its files fetched from the internet, and from the hosts that the configuration names.
    private mutating func allowMedia(_ hosts: PlaylistHosts) {
        placeOfMedia = { [proxy] host in
            do {
                let isElsewhere = proxy?.isUsed(for: host) == true
                return try await hosts.address(of: host, mayBePrivate: false, isResolvedElsewhere: isElsewhere).address
            } catch {
                throw SubsonicError(
                    .redirected,
                    """
                    The server redirects its files to \(host.quotable(utf8: 200)), which has no address or is private; \
                    private_hosts in [playlists] can allow it.
                    """, cause: error)
            }
        }
    }
}
