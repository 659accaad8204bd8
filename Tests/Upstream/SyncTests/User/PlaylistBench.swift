import Foundation
import LibraryIndex
@testable import Sync
import LibrarySamples
import Logging
import MusicModel
import Subsonic
import SyncBench
import TestSupport
import Testing
import UserLibrary

/// An index of its own on a fake server that others may use as well, and the two ways to bring playlists together.
final class PlaylistBench {
    let server: FakeNavidrome
    let client: SubsonicClient
    let recorder = SyncRecorder()
    let log = LogLines()
    let library: Library
    let state: TemporaryFolder
    private let sync: LibrarySync
    private let writer: PlaylistWriter

    /// Uses a server, and the folder of an earlier bench if there was one, as after a restart.
    init(_ server: FakeNavidrome, state: TemporaryFolder? = nil, retries: Int = 0) throws {
        self.server = server
        let state = try state ?? TemporaryFolder()
        self.state = state
        let client = SubsonicClient(
            SubsonicSettings(
                url: server.url, username: "admin", credential: .password("secret"),
                timeouts: .init(connect: .seconds(600), answer: .seconds(600), idle: .seconds(600)),
                retries: .init(count: retries, firstDelay: .milliseconds(1), maxDelay: .milliseconds(1))),
            log: log.logger)
        self.client = client
        let library = try Library(path: state.path + "/segue.db")
        self.library = library
        let observer = recorder.observer
        sync = LibrarySync(
            library: library, server: ServerSource(mount: "", client: client), settings: ServerBench.settings,
            observer: observer, logger: log.logger)
        writer = PlaylistWriter(
            client: client, library: library, changed: { observer.subsystemsChanged(.storedPlaylist) },
            logger: log.logger)
    }

    /// A server with songs and playlists, whose ids it gives, and an index in step with it.
    static func begin(
        _ playlists: [String: [Int]] = [:], songs: Int = 30, options: FakeOptions = FakeOptions()
    ) async throws -> (PlaylistBench, [String]) {
        let server = try await FakeNavidrome.start(songs: songs, options: options)
        let ids = server.songs.map(\.id)
        server.playlists = playlists.sorted { $0.key < $1.key }.map { name, places in
            FakePlaylist(id: "id-\(name)", name: name, songIDs: places.map { ids[$0] })
        }
        // A call may take a connection of before an outage, whose end has not been noticed yet.
        let bench = try PlaylistBench(server, retries: 1)
        try await bench.pull()
        bench.recorder.reset()
        server.forgetRequests()
        return (bench, ids)
    }

    /// Ends it and its server.
    func end() async {
        await close()
        await server.stop()
    }

    /// A whole sync: songs, then playlists.
    func pull() async throws { _ = try await sync.syncOnce() }

    /// Sends what waits.
    @discardableResult
    func push() async throws -> Bool { try await writer.push() }

    /// Sends what waits while something else is done.
    func push(meanwhile body: () async throws -> Void) async throws {
        let writer = writer
        async let sending = writer.push()
        try await body()
        _ = try await sending
    }

    /// Both, until nothing is left to do; failures pass.
    func converge() async throws {
        for _ in 0..<4 {
            try await pull()
            try await push()
        }
    }

    /// Ends the connections; the server stays.
    func close() async {
        await client.shutDown()
        try? library.close()
    }

    /// The server's ids, or the URLs, of a playlist's entries.
    func entries(_ name: String) async throws -> [String] {
        var texts: [String] = []
        for item in try await library.storedPlaylist(name) {
            switch item {
            case .stream(let url, _): texts.append(url)
            case .song(let id):
                switch try await library.index.source(of: id)?.source {
                case .navidrome(let id)?, .navidromePart(let id, _)?: texts.append(id)
                case .localFile(let path)?, .localPart(let path, _)?: texts.append(path)
                case nil: texts.append("?")
                }
            }
        }
        return texts
    }

    /// All playlists with their entries.
    func playlists() async throws -> [String: [String]] {
        var all: [String: [String]] = [:]
        for playlist in try await library.storedPlaylists() { all[playlist.name] = try await entries(playlist.name) }
        return all
    }

    /// Songs of the server, for edits.
    func items(_ serverIDs: some Sequence<String>) async throws -> [QueueItem] {
        var ids: [String: SongID] = [:]
        for id in try await library.allIDs().values {
            if case .navidrome(let serverID)? = try await library.index.source(of: id)?.source { ids[serverID] = id }
        }
        return try serverIDs.map { .song(try #require(ids[$0])) }
    }
}

extension FakeNavidrome {
    /// The songs of the playlists, missing ones included, by name.
    var playlistsByName: [String: [String]] {
        Dictionary(playlists.map { ($0.name, $0.songIDs) }) { first, second in first + ["|"] + second }
    }
}
