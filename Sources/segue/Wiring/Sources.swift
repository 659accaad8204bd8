import Foundation
import GStreamerAudio
import Library
import LibrarySync
import Logging
import MusicModel
import SegueConfiguration
import Subsonic
import TrackCache

/// Where songs come from: the index, the server with its caches, and the music folder.
final class Sources: Sendable {
    let library: Library
    let client: SubsonicClient?
    let tracks: TrackCache
    let covers: CoverArtCache?
    let outsideFiles = OutsideFileReader()
    private let configuration: Configuration
    /// Folders that clients mounted and that are mounted again.
    private let mounted: [(name: String, folder: String)]

    /// Opens the index and prepares the connections; the network is not touched.
    init(_ configuration: Configuration, state: StateDirectory, log: Logger) throws {
        self.configuration = configuration
        let library = try Library(path: state.database, renderer: ProtocolBlocks())
        self.library = library
        let configured = Self.configuredMounts(configuration)
        mounted = try library.savedMounts().compactMap { mount in
            if !configured.contains(where: { $0.path == mount.name }) { return (mount.name, mount.uri) }
            log.warning("the mount \(mount.name) of a client is left out: the configuration has one of that name")
            return nil
        }
        client = try configuration.navidrome.map {
            SubsonicClient(try SubsonicSettings($0, state: state), log: Logger(label: "segue.navidrome"))
        }
        let cacheDirectory = configuration.server.cacheDirectory
        let navidrome = configuration.navidrome
        tracks = try TrackCache(
            directory: cacheDirectory + "/tracks", byteLimit: configuration.cache.size, client: client,
            form: TrackForm(format: navidrome?.format ?? "raw", maxBitRate: navidrome?.maxBitrate),
            resolve: { try await library.source(of: $0) }, log: Logger(label: "segue.cache"))
        covers = try client.map {
            try CoverArtCache(directory: cacheDirectory + "/covers", client: $0, log: Logger(label: "segue.cache"))
        }
    }

    /// Makes the service that keeps the index up to date.
    func makeSync(observer: SyncObserver, interval: Duration?, log: Logger) -> LibrarySync {
        var settings = SyncSettings()
        if let interval { settings.interval = interval }
        return LibrarySync(
            library: library,
            server: client.map { ServerSource(mount: configuration.navidrome?.mount ?? "", client: $0) },
            folder: configuration.local.map {
                FolderSource(mount: $0.mount, musicDirectory: $0.musicDirectory, reader: GStreamerTagReader())
            },
            mounted: mounted.map {
                FolderSource(mount: $0.name, musicDirectory: $0.folder, reader: GStreamerTagReader())
            }, mountReader: GStreamerTagReader(), settings: settings, observer: observer,
            logger: Logger(label: "segue.sync"))
    }

    /// Makes the service that sends what clients change to the server; nil without a server.
    func makeUpstream() -> Upstream? {
        client.map { _ in Upstream(writers: [], logger: Logger(label: "segue.upstream")) }
    }

    /// The mounts as clients see them; a source at the root is no mount of its own.
    var mounts: [(path: String, storage: String)] {
        Self.configuredMounts(configuration) + mounted.map { (path: $0.name, storage: $0.folder) }
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
        await outsideFiles.shutDown()
        try? library.close()
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
