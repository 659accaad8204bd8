import Foundation
import LibraryIndex
import MusicModel
@testable import Subsonic
import TestSupport
import Testing
import UserLibrary

@testable import Sync

/// A fake server, an index with its songs, and what plays.
final class ScrobbleBench {
    let server: FakeNavidrome
    let client: SubsonicClient
    let folder: String
    let library: Library
    let lines = LogLines()
    let clock = VirtualClock()
    private(set) var songs: [SongID] = []
    private var play: UInt64 = 0
    private var events: AsyncStream<PlaybackEvent>.Continuation?
    private var service: Task<Void, Never>?

    static let settings = ScrobbleSettings(batchSize: 10)

    init(_ options: FakeOptions = FakeOptions()) async throws {
        server = try await FakeNavidrome.start(songs: 120, options: options)
        client = SubsonicClient(
            SubsonicSettings(
                url: server.url, username: "admin", credential: .password("secret"),
                timeouts: .init(connect: .seconds(600), answer: .seconds(600), idle: .seconds(600)),
                retries: SubsonicSettings.Retries(count: 0)),
            log: lines.logger)
        folder = NSTemporaryDirectory() + "segue-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        library = try Library(path: folder + "/segue.db")
        var indexed = server.songs.map { Self.indexed($0.id, .navidrome(id: $0.id), seconds: $0.duration) }
        indexed.append(Self.indexed("own.flac", .localFile(path: "/own.flac"), seconds: 10))
        _ = try await library.index.apply(LibraryChanges(mount: "", upserts: indexed))
        let ids = try await library.index.findQueueable(SongQuery(.all)).map(\.id)
        let found = zip(ids, try await library.index.songs(ids)).map { ($1?.uri ?? "", $0) }
        let byURI = Dictionary(uniqueKeysWithValues: found)
        songs = indexed.compactMap { byURI[$0.path] }
    }

    private static func indexed(_ id: String, _ source: SongSource, seconds: Int) -> IndexedSong {
        IndexedSong(
            mount: "", sourceID: id, source: source, path: "\(id).flac", tags: [TagValue(.title, id)],
            duration: .seconds(seconds), lastModified: nil, added: nil, format: nil, replayGain: ReplayGain(),
            suffix: "flac", size: nil, coverArtID: nil, hash: 1)
    }

    /// The one song that is not the server's.
    var ownSong: SongID { songs[songs.count - 1] }

    @discardableResult
    func start(_ settings: ScrobbleSettings = ScrobbleBench.settings) -> Scrobbler {
        let (stream, continuation) = AsyncStream<PlaybackEvent>.makeStream()
        events = continuation
        let scrobbler = Scrobbler(
            library: library, client: client, session: NavidromeSession(client), settings: settings, clock: clock,
            logger: lines.logger)
        service = Task { await scrobbler.run(events: stream) }
        return scrobbler
    }

    /// Starts with another way to the server.
    func start(submit: @escaping @Sendable (_ plays: [SubsonicPlay]) async throws -> Void) {
        let scrobbler = Scrobbler(
            library: library, server: PlayServer(submit: submit), settings: Self.settings, clock: clock,
            logger: lines.logger)
        let (stream, continuation) = AsyncStream<PlaybackEvent>.makeStream()
        events = continuation
        service = Task { await scrobbler.run(events: stream) }
    }

    func end() async {
        service?.cancel()
        await service?.value
        service = nil
    }

    func stop() async throws {
        await end()
        await client.shutDown()
        await server.stop()
        try FileManager.default.removeItem(atPath: folder)
    }

    /// Plays a song to the given part of its length; the play's start is `1_000_000 + place`.
    func hear(_ place: Int, part: Double = 1) { hear(songs[place], at: 1_000_000 + Int64(place), seconds: part * 420) }

    func hear(_ song: SongID, at milliseconds: Int64, seconds: Double) {
        play += 1
        events?.yield(.started(play: play, song: song, at: milliseconds))
        events?.yield(.heard(play: play, song: song, total: .seconds(seconds / 2)))
        events?.yield(.heard(play: play, song: song, total: .seconds(seconds)))
        events?.yield(.heard(play: play, song: song, total: .seconds(seconds)))
        events?.yield(.ended(play: play, song: song))
    }

    /// Plays a song, and is paused and goes on at these places in turn.
    func pauses(_ place: Int, at moments: [Duration], in partition: Int = 0) {
        play += 1
        let play = play + PlaybackEvent.numbers(of: partition)
        events?.yield(.started(play: play, song: songs[place], at: 1))
        for (number, moment) in moments.enumerated() {
            events?.yield(.moved(play: play, song: songs[place], place: moment, isPaused: number % 2 == 0))
        }
    }

    /// The plays that the server counted, as places in the library.
    var submitted: [Int] {
        let places = Dictionary(uniqueKeysWithValues: server.songs.enumerated().map { ($1.id, $0) })
        return server.scrobbles.filter(\.isSubmission).compactMap { places[$0.id] }
    }

    /// Lets the outbox's pauses pass until it is empty.
    func drained() async throws {
        try await clock.passPauses(until: "an empty outbox") { try await library.waitingPlays(limit: 1).isEmpty }
    }

    /// Lets the outbox's pauses pass until it holds so many plays.
    func waits(_ count: Int) async throws {
        try await clock.passPauses(until: "\(count) waiting plays") {
            try await library.waitingPlays(limit: 1_000).count == count
        }
    }
}
