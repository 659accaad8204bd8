import Discovery
import Foundation
import LibraryIndex
import Logging
import MediaCache
import MediaLookup
import MPDSessions
import MusicModel
import NetworkAddresses
import NIOCore
import Outputs
import SegueConfiguration
import ServerLoop
import Supervision
import Sync
import UserLibrary
import WebAPI
import WebServer

/// The page and the HTTP interface.
@ServerActor
final class WebServices {
    private(set) var httpServer: HTTPServer?
    let sessions: SessionStore
    /// The ports by which other machines reach the page without encryption, each once.
    private(set) var portsForOtherMachines: [Int] = []
    private let log = Logger(label: "segue.web")
    private let configuration: Configuration
    private let server: MPDServer

    /// Puts them together; sessions of an earlier run that began with other passwords end.
    init(
        _ configuration: Configuration, sessionsPath: String, hub: IdleHub,
        server: MPDServer, _ passwords: PasswordGate,
        _ parts: (SessionStore, PageFiles) -> WebParts
    ) {
        (self.configuration, self.server) = (configuration, server)
        sessions = SessionStore(path: sessionsPath)
        endOldSessions(passwords)
        guard !configuration.web.listen.isEmpty else { return }
        let files = PageFiles(directory: configuration.web.settings.directory)
        let interface = WebInterface(parts(sessions, files), hub: hub, log: log)
        httpServer = HTTPServer(configuration.web.settings, answers: interface, log: log)
    }

    /// Ends the sessions whose password, or the rules by which their page needed none, are others now.
    func endOldSessions(_ passwords: PasswordGate) {
        sessions.keep(origins: passwords.fingerprints.union([server.access.fingerprint]))
    }

    private(set) var pages: [String] = []

    /// Lets browsers connect. An address that can't be had is one line in the log; the music plays without it.
    func listen(inherited: [InheritedSocket] = []) async {
        guard let httpServer else { return }
        for socket in inherited {
            await bind("an inherited socket") { try await httpServer.listen(onInherited: socket.duplicate()) }
        }
        guard inherited.isEmpty else { return }
        for address in configuration.web.listen {
            switch address {
            case .tcp(let host, let port):
                await bind("\(address)", "http") { try await httpServer.listen(host: host, port: port) }
            case .tls(let host, let port):
                await bind("\(address)", "https") {
                    try await httpServer.listen(host: host, port: port, tls: try await server.sharedCertificate())
                }
            case .unix: log.error("no page on \(address): browsers need host:port")
            }
        }
    }

    private func bind(_ name: String, _ scheme: String? = nil, _ body: () async throws -> SocketAddress?) async {
        do {
            let bound = try await body()
            if let scheme { pages.append("\(scheme)://\(name)/") }
            log.info("listening", metadata: ["address": "\(name)", "port": "\(bound?.port ?? 0)"])
            if let port = bound?.port, let host = bound?.ipAddress, !host.hasPrefix("127."), host != "::1",
                !portsForOtherMachines.contains(port)
            {
                portsForOtherMachines.append(port)
            }
        } catch {
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
            log.error("no page on \(name): \(reason). Choose another address under [web] listen, or [] for no page.")
        }
    }

    func shutDown() async { await httpServer?.shutDown() }
}

extension WebFacts {
    @ServerActor
    init(
        _ configuration: Configuration, _ kept: SettingsStore?, _ sources: Sources, _ upstream: UpstreamServices,
        _ playback: PlaybackServices, _ reports: LibraryReports, _ media: SongMedia
    ) {
        self.init()
        version = Segue.version
        connection = { [reports] in
            ConnectionReport(state: reports.connection.rawValue, sentence: reports.connectionSentence)
        }
        isDemo = configuration.isDemo
        sync = { [upstream] in
            var report = SyncReport()
            guard upstream.sync.runningJob != nil else { return report }
            report.phase = "songs"
            let progress = upstream.events.progress.current
            (report.done, report.total) = (progress?.done ?? report.done, progress?.total ?? 0)
            return report
        }
        mixes = { [mixes = playback.mixes] in await mixes?.names ?? [] }
        if configuration.discovery.usesServerSimilarity, let client = sources.client {
            let artists = SimilarArtists(client, sources.library, log: Logger(label: "segue.discovery"))
            similarArtists = { await artists.names(like: $0) }
        }
        settings = { (kept?.inUse(of: configuration) ?? configuration).shownSections }
        addresses = { configuration.pageAddresses() }
        picture = { [pictures = media.pictures] in try await pictures.picture(ofAlbumWith: $0, edge: $1) }
        outsidePicture = { [pictures = OutsidePictures(sources)] in try await pictures.picture($0, $1) }
        let streams = configuration.outputs.filter { $0.type == .httpd }
        stream = { name in
            streams.first { $0.name == name }.flatMap {
                try? SocketAddress(ipAddress: $0.httpd.address ?? "127.0.0.1", port: $0.httpd.port)
            }
        }
        streamType = { name in
            streams.first { $0.name == name }.map { ($0.encoding ?? .usual(for: .httpd, path: nil)).mimeType }
        }
        let files = [configuration.file].compactMap { $0 } + configuration.secretFiles
        secretsChanged = {
            files.compactMap {
                (try? FileManager.default.attributesOfItem(atPath: $0))?[.modificationDate] as? Date
            }.max()
        }
        figures = Self.figures(sources, reports, limit: configuration.cache.size)
        waiting = { [library = sources.library] in
            do { return try await library.waitingForServer() } catch {
                Logger(label: "segue.web").warning("what waits for the server can't be counted: \(chain: error)")
                return WaitingChanges()
            }
        }
    }

    @ServerActor
    private static func figures(
        _ sources: Sources, _ reports: LibraryReports, limit: Int64
    ) -> @Sendable () -> UpstreamFigures {
        guard sources.client != nil else { return { UpstreamFigures() } }
        return { [tracks = sources.tracks, syncs = reports.syncFigures, plays = reports.playFigures] in
            var figures = UpstreamFigures()
            figures.cache = (tracks.totalSize, limit)
            let kept = tracks.figures
            (figures.cacheHits, figures.cacheMisses, figures.downloaded) = (kept.hits, kept.misses, kept.downloaded)
            figures.plays = plays.map { ($0.values.sent, $0.values.givenUp) } ?? (0, 0)
            let ended = syncs.values
            figures.syncs = (ended.successes, ended.failures)
            figures.syncDuration = ended.duration.map { $0 / .seconds(1) }
            figures.lastSync = ended.lastSuccess?.timeIntervalSince1970
            return figures
        }
    }
}

extension OutsidePictures {
    fileprivate convenience init(_ sources: Sources) {
        self.init(covers: sources.covers, scaled: sources.scaledPictures) { [web = sources.remotePlaylists] in
            await web.picture(at: $0, mayBePrivate: $1, largest: OutsidePictures.maxSize)
        }
    }

    fileprivate func picture(_ picture: OutsidePicture, _ edge: Int) async throws -> Picture? {
        switch picture {
        case .station(let station): try await self.picture(of: station, edge: edge)
        case .album(let url): try await self.picture(at: url, edge: edge)
        }
    }
}

/// Lets the page change settings, and takes over what can change while the server runs.
struct PageSettings: SettingsChanging {
    let store: SettingsStore
    let log: Logger

    var settings: [Setting] { store.settings }

    func change(_ changes: [String: SettingValue?], from address: String) throws(SettingRefusal) {
        try store.change(changes)
        let level = store.logLevel
        // The line is seen with the old level or the new one, whichever lets it through.
        StandardErrorLog.level = min(StandardErrorLog.level, level)
        let keys = changes.keys.sorted().joined(separator: ", ")
        log.notice("settings were changed on the page", metadata: ["keys": "\(keys)", "peer": "\(address)"])
        StandardErrorLog.level = level
    }
}
