import Discovery
import Foundation
import Sync
import Logging
import MediaCache
import NIOCore
import Outputs
import MediaLookup
import SegueConfiguration
import ServerLoop
import UserLibrary
import WebAPI

/// Facts of the program for the page.
///
/// - Isolation: ServerActor.
extension WebFacts {
    /// Knows the parts of the program.
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
            if let progress = upstream.events.progress.current {
                (report.done, report.total) = (progress.done, progress.total ?? 0)
            }
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
        let streams = configuration.outputs.filter { $0.type == .httpd }.map { ($0.name, $0.httpd) }
        stream = { name in
            streams.first { $0.0 == name }.flatMap { _, settings in
                try? SocketAddress(ipAddress: settings.address ?? "127.0.0.1", port: settings.port)
            }
        }
        streamType = { name in
            let output = configuration.outputs.first { $0.type == .httpd && $0.name == name }
            return output.map { ($0.encoding ?? .usual(for: .httpd, path: nil)).mimeType }
        }
        let files = [configuration.file].compactMap { $0 } + configuration.secretFiles
        secretsChanged = {
            files.compactMap {
                (try? FileManager.default.attributesOfItem(atPath: $0))?[.modificationDate] as? Date
            }.max()
        }
        figures = Self.figures(sources, reports, limit: configuration.cache.size)
        waiting = { [library = sources.library] in
            (try? await library.waitingForServer()) ?? WaitingChanges()
        }
    }
}

extension WebFacts {
    /// Reads the figures of the cache, the plays and the syncs; none without a server.
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
    /// Takes the server's pictures from its cache, and others by the reader of the web's files.
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
