import Coordination
import Foundation
@testable import Sync
import LibraryIndex
import LibrarySamples
import MusicModel
@testable import Subsonic
import SyncBench
import TestSupport
import Testing
import UserLibrary

/// A room with a Segue of its own, of one user of a server.
private final class Room {
    let user: String
    let library: Library
    let clock = VirtualClock()
    /// What was heard there, as the server is to count it.
    private(set) var heard: [FakeScrobble] = []
    private let client: SubsonicClient
    private let sync: LibrarySync
    private let writer: PlaylistWriter
    private let events: AsyncStream<PlaybackEvent>.Continuation
    private let scrobbling: Task<Void, Never>
    private let state: TemporaryFolder
    private var play: UInt64 = 0

    init(of user: String, at server: FakeNavidrome) throws {
        self.user = user
        let (log, state) = (LogLines(), try TemporaryFolder())
        self.state = state
        let client = SubsonicClient(
            SubsonicSettings(
                url: server.url, username: user, credential: .password("secret"),
                timeouts: .init(connect: .seconds(600), answer: .seconds(600), idle: .seconds(600)),
                retries: SubsonicSettings.Retries(count: 0)), log: log.logger
        )
        self.client = client
        let library = try Library(path: state.path + "/segue.db")
        self.library = library
        let session = NavidromeSession(client)
        sync = LibrarySync(
            library: library, server: ServerSource(mount: "", client: client, session: session),
            settings: ServerBench.settings, logger: log.logger)
        writer = PlaylistWriter(client: client, library: library, changed: {}, logger: log.logger)
        let (stream, events) = AsyncStream<PlaybackEvent>.makeStream()
        self.events = events
        let scrobbler = Scrobbler(
            library: library, client: client, session: session, clock: clock, logger: log.logger)
        scrobbling = Task { await scrobbler.run(events: stream) }
    }

    /// Hears a song of the server's to its end.
    func hear(_ song: FakeSong, at milliseconds: Int64) async throws {
        let id = try #require(try await library.index.song(at: song.path)?.id)
        play += 1
        events.yield(.started(play: play, song: id, at: milliseconds))
        events.yield(.heard(play: play, song: id, total: .seconds(song.duration)))
        events.yield(.ended(play: play, song: id))
        var scrobble = FakeScrobble(id: song.id, time: milliseconds, isSubmission: true)
        scrobble.user = user
        heard.append(scrobble)
    }

    /// Adds a song to a list, which is made where there is none.
    func add(_ song: FakeSong, to playlist: String) async throws {
        let id = try #require(try await library.index.song(at: song.path)?.id)
        if try await library.storedPlaylists().contains(where: { $0.name == playlist }) {
            try await library.insertIntoStoredPlaylist(playlist, [.song(id)], at: nil)
        } else {
            try await library.saveStoredPlaylist(playlist, [.song(id)], mode: .create)
        }
    }

    /// A look at the server, and sending what waits; false where it failed.
    @discardableResult
    func exchange() async -> Bool {
        do {
            _ = try await sync.syncOnce()
            _ = try await writer.push()
            return true
        } catch { return false }
    }

    /// Lets pauses pass until all plays are sent.
    func sendPlays() async throws {
        try await clock.passPauses(until: "an empty outbox of \(user)'s") {
            try await library.waitingPlays(limit: 1).isEmpty
        }
    }

    /// The titles in each list.
    func playlists() async throws -> [String: [String]] {
        var all: [String: [String]] = [:]
        for playlist in try await library.storedPlaylists() {
            let ids = try await library.storedPlaylist(playlist.name).compactMap { item in
                if case .song(let id) = item { id } else { nil }
            }
            all[playlist.name] = try await library.index.songs(ids).compactMap { $0?.first(.title) }
        }
        return all
    }

    func close() async {
        scrobbling.cancel()
        await scrobbling.value
        await client.shutDown()
        try? library.close()
    }
}

@Suite("A household with one Navidrome")
struct HouseholdTests {
    /// The lists that a user sees at the server, by the titles of their songs.
    private func lists(of user: String, at server: FakeNavidrome) -> [String: [String]] {
        let titles = Dictionary(server.songs(of: user).map { ($0.id, $0.title) }) { first, _ in first }
        let visible = server.playlists.filter { $0.isPublic || $0.owner == user }
        return Dictionary(visible.map { ($0.name, $0.songIDs.compactMap { titles[$0] }) }) { first, _ in first }
    }

    @Test(
        "two users in two rooms keep their own plays, lists and libraries apart over a day, and share what they show",
        .enabled(if: testsEverything), arguments: 1...3)
    func day(seed: UInt64) async throws {
        var options = FakeOptions()
        options.others = ["ann", "ben"]
        var library = FakeLibrary(songs: 90, seed: seed)
        for place in 60..<90 { library.edit(place) { $0.libraryID = 2 } }
        let server = try await FakeNavidrome.start(library: library, options: options)
        server.setLibraries([1, 2], of: "ann")
        server.setLibraries([1], of: "ben")
        let rooms = [try Room(of: "ann", at: server), try Room(of: "ben", at: server)]
        for room in rooms { #expect(await room.exchange()) }
        var random = SplitMix64(seed: seed)
        for hour in 0..<24 {
            switch hour {
            case 6: server.setLibraries([1, 2], of: "ben")
            case 9: server.change { $0.touch(3) + $0.add(2) }
            case 12: server.setLibraries([2], of: "ann")
            case 14, 20: try await server.setFaults(FakeFault(.down))
            case 15, 22: try await server.setFaults()
            case 17: server.setLibraries([1], of: "ben")
            default: break
            }
            for (number, room) in rooms.enumerated() {
                // As the room knows them by now.
                let known = try await room.library.allSongs()
                let songs = library.songs.filter { known[$0.path] != nil }
                for minute in 0..<3 {
                    guard let song = songs.randomElement(using: &random) else { continue }
                    try await room.hear(song, at: Int64(hour * 60 + minute * 20) * 60_000)
                }
                if let song = songs.randomElement(using: &random), hour % 3 == number {
                    try await room.add(song, to: "\(room.user)'s \(hour / 8)")
                }
                await room.exchange()
            }
            // Each shows the first list.
            server.playlists = server.playlists.map { playlist in
                var playlist = playlist
                if playlist.name.hasSuffix(" 0") { playlist.isPublic = true }
                return playlist
            }
        }
        for room in rooms { try await room.sendPlays() }
        for _ in 0..<3 {
            for room in rooms { #expect(await room.exchange()) }
        }
        for room in rooms {
            let plays = server.scrobbles.filter { $0.isSubmission && $0.user == room.user }
            #expect(plays == room.heard, "each play once, in order, for the one who heard it")
            let songs = try await room.library.allSongs()
            #expect(Set(songs.keys) == Set(server.songs(of: room.user).map(\.path)))
            #expect(try await room.playlists() == lists(of: room.user, at: server))
        }
        let names = try await rooms[1].playlists().keys.sorted()
        #expect(names == ["ann's 0", "ben's 0", "ben's 1", "ben's 2"])
        // A list that another one shows can be heard and not edited.
        await #expect(throws: LibraryError.self) { try await rooms[1].library.clearStoredPlaylist("ann's 0") }
        for room in rooms { await room.close() }
        await server.stop()
    }
}
