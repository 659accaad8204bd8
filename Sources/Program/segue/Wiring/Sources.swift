import AudioFiles
import Coordination
import Extensions
import Foundation
import LibraryIndex
import Sync
import Logging
import MusicModel
import MediaLookup
import SegueConfiguration
import Subsonic
import MediaCache
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
    let session: NavidromeSession?
    private let state: StateDirectory
    /// The configuration's mounts, and the folders that clients mounted.
    let mounts: MountTable
    /// Keeps those of other machines mounted; nil where no extension does.
    let storages: (any StorageService)?

    /// Opens the index, in which the configuration's stations are from then on, and prepares the connections; the
    /// network is not touched.
    ///
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
        (self.configuration, self.state, self.library) = (configuration, state, library)
        let storages = Self.storages(in: state.storages)
        self.storages = storages
        mounts = MountTable(
            configured: MountTable.Mount.configured(configuration),
            saved: try library.savedMounts().map { MountTable.Mount(name: $0.name, uri: $0.uri, storages) },
            added: added.map { MountTable.Mount(name: $0.name, uri: $0.folder, storages) })
        for mount in mounts.folders where mount.network != nil { await storages?.keep(mount.uri, at: mount.name) }
        for name in mounts.leftOut {
            log.warning("skipping a client's mount \(name): the configuration has one of that name")
        }
        let settings = try SubsonicSettings.reaching(configuration, state: state)
        let client = settings.map { SubsonicClient($0, log: Logger(label: "segue.navidrome")) }
        self.client = client
        session = client.flatMap { client in settings.map { NavidromeSession(client, keptIn: state, for: $0) } }
        marks = client.map { MarkSync(library: library, client: $0, logger: Logger(label: "segue.marks")) }
        configuration.keepOwnFilesApart()
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
        let library = try Library(
            state.database, configuration, MemoryBudget(configuration.server, log: log), written: written)
        for loss in [library.rescue.map { "\($0)" }, library.journalDamage.map { "\($0)" }].compactMap({ $0 }) {
            log.error("\(loss)")
        }
        for playlist in configuration.playlists.shown.compactMap({ VirtualPlaylist($0) }) {
            library.virtualPlaylists.add(playlist)
        }
        return library
    }

    /// Mounts network storages, with links to them in a folder; nil where no extension does.
    static func storages(in folder: String) -> (any StorageService)? {
        extensions.lazy.compactMap { $0.storages(in: folder) }.first
    }

    /// Puts the configuration's radio stations into the index.
    @concurrent
    private func keepStations() async throws {
        _ = try await library.replaceStations(configuration.stations, from: .configuration)
        let servers = [configuration.navidrome].compactMap { $0.map { StationSource.server(mount: $0.mount) } }
        try await library.removeStations(besides: [.configuration] + servers)
    }

    /// Makes the service that keeps the index up to date.
    func makeSync(observer: SyncObserver, interval: Duration?, log: Logger) -> LibrarySync {
        var settings = SyncSettings()
        if let interval { settings.interval = interval }
        settings.mountRoots = configuration.server.mountRoots
        let folders = configuration.local ?? Configuration.Local()
        (settings.links, settings.cueSheets) = (folders.links, folders.cueSheets)
        settings.watching = FolderWatching(
            isOn: folders.autoUpdate,
            interval: folders.autoUpdateInterval > 0 ? .seconds(folders.autoUpdateInterval) : nil)
        settings.cueFolder = configuration.navidrome?.cueFolder
        settings.readsTaggedSheets = configuration.navidrome?.cueInTags ?? true
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
                writers: writers.compactMap { $0 }, work: library.upstreamWork,
                noteWaiting: { client.reachability.note("edits", waits: $0) }, logger: Logger(label: "segue.upstream"))
        }
    }

    /// Closes the connections, then the index.
    func close() async {
        tracks.shutDown()
        await client?.shutDown()
        do { try library.close() } catch {
            Logger(label: "segue").error("the database was not closed as usual: \(chain: error)")
        }
    }
}

extension MountTable.Mount {
    /// Names a folder or a network storage by what is kept of it.
    fileprivate init(name: String, uri: String, _ storages: (any StorageService)?) {
        if let network = storages?.storage(at: uri) {
            self.init(name: name, network: network)
        } else {
            self.init(name: name, storage: uri)
        }
    }

    /// The configuration's sources.
    fileprivate static func configured(_ configuration: Configuration) -> [MountTable.Mount] {
        let server = configuration.navidrome.map { MountTable.Mount(name: $0.mount, storage: "navidrome") }
        let folder = configuration.local.map { MountTable.Mount(name: $0.mount, storage: $0.musicDirectory) }
        return [server, folder].compactMap { $0 }
    }
}

extension Configuration {
    /// Keeps files next to songs, such as a link that is called like a cover, from showing the program's own files.
    ///
    /// - Isolation: blocks for reads of the disk.
    fileprivate func keepOwnFilesApart() {
        for path in [server.stateDirectory, server.cacheDirectory, file].compactMap({ $0 }) {
            SideFile.keep(apart: path)
        }
    }
}

extension ProgramAccess {
    /// The parts of this program.
    static let program = ProgramAccess(
        sections: extensionSections,
        open: { configuration, state, added, log in
            // The one other thread waits here meanwhile.
            await configuration.setEnvironment()
            return try await Sources(configuration, state: state, mounting: added, log: log)
        }, serve: { configuration, ready in try await Serving.run(configuration, ready: ready) },
        storages: { Sources.storages(in: $0) })
}
