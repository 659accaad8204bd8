import LibraryIndex
package import Sync
package import MusicModel
package import Subsonic
package import TestSupport
package import UserLibrary

/// A fake server, an index and a sync between them.
package struct ServerBench {
    package let server: FakeNavidrome
    package let client: SubsonicClient
    package let library: Library
    package let recorder = SyncRecorder()
    package let log = LogLines()
    package let state: TemporaryFolder
    package let sync: LibrarySync

    /// Small pages and pauses, so that a small library is walked as a large one is.
    package static let settings = {
        var settings = SyncSettings()
        (settings.server.interval, settings.intervalWithoutScanStatus) = (.milliseconds(50), .milliseconds(50))
        settings.retryDelays = .milliseconds(20) ... .milliseconds(80)
        (settings.scanPollInterval, settings.maxScanWait) = (.milliseconds(10), .seconds(2))
        (settings.pageSize, settings.firstSyncBatch) = (50, 100)
        return settings
    }()

    package init(
        songs: Int = 420, library fake: FakeLibrary? = nil, options: FakeOptions = FakeOptions(),
        settings: SyncSettings = Self.settings, hearsEvents: Bool = false, doubt: Duration = .seconds(600),
        whenProgressing: (@Sendable (_ server: FakeNavidrome, _ done: Int) -> Void)? = nil,
        storedCredential: @escaping @Sendable () -> SubsonicSettings.Credential? = { nil }
    ) async throws {
        server = try await FakeNavidrome.start(library: fake ?? FakeLibrary(songs: songs), options: options)
        client = SubsonicClient(
            SubsonicSettings(
                url: server.url, username: "admin", credential: .password("secret"),
                timeouts: .init(connect: .seconds(600), answer: .seconds(600), idle: .seconds(600), doubt: doubt),
                retries: SubsonicSettings.Retries(count: 0)),
            log: log.logger)
        state = try TemporaryFolder()
        library = try Library(path: state.path + "/segue.db")
        var observer = recorder.observer
        if let whenProgressing {
            let (server, told) = (server, observer.progress)
            observer.progress = { done, total in
                told(done, total)
                whenProgressing(server, done)
            }
        }
        sync = LibrarySync(
            library: library,
            server: ServerSource(
                mount: "", client: client, session: hearsEvents ? NavidromeSession(client) : nil,
                storedCredential: storedCredential),
            settings: settings, observer: observer, logger: log.logger)
    }

    /// Runs the service while `body` runs, and ends everything.
    package func whileRunning(_ body: () async throws -> Void) async throws {
        let service = Task { [sync] in await sync.run() }
        do {
            try await body()
        } catch {
            service.cancel()
            throw error
        }
        service.cancel()
        await service.value
        await stop()
    }

    /// Ends what would outlive the test.
    package func stop() async {
        await client.shutDown()
        await server.stop()
    }

    /// The names of the calls since they were forgotten.
    package var calls: [String] { server.requests.map(\.call) }

    /// Whether the index holds exactly what the server lists.
    package func isInStep() async throws -> Bool {
        let listed = server.songs
        let songs = try await library.allSongs()
        guard songs.count == listed.count else { return false }
        return listed.allSatisfy { fake in songs[fake.path]?.first(.title) == fake.title }
    }

    /// The songs' numbers by the server's ids.
    package func idsByServerID() async throws -> [String: SongID] {
        var ids: [String: SongID] = [:]
        for id in try await library.allIDs().values {
            if case .navidrome(let serverID)? = try await library.index.source(of: id)?.source { ids[serverID] = id }
        }
        return ids
    }
}
