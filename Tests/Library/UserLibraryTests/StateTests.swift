import Foundation
import GRDB
import LibraryIndex
import LibrarySamples
import MusicModel
import Testing

@testable import UserLibrary

@Suite("Playlists, the queue, the player, the outbox")
struct StateTests {
    private func ids(_ test: TestLibrary, _ uris: String...) async throws -> [QueueItem] {
        let numbers = try await test.numbers()
        return try uris.map { .song(try #require(numbers[$0])) }
    }

    private func names(_ test: TestLibrary, _ playlist: String) async throws -> String {
        let items = try await test.library.storedPlaylist(playlist)
        var names: [String] = []
        for item in items {
            switch item {
            case .song(let id): names.append(try await test.library.index.songs([id])[0]?.uri ?? "?")
            case .stream(let url, _): names.append(url)
            }
        }
        return names.joined(separator: " ")
    }

    @Test("Playlists are saved, appended, edited and renamed as MPD does")
    func playlists() async throws {
        let test = try await TestLibrary(["a", "b", "c", "d"].map { song($0) })
        let library = test.library
        let stream = QueueItem.stream(url: "http://x/y#Radio%20Nova", tags: [TagValue(.name, "Nova")])
        try await library.saveStoredPlaylist("mix", try await ids(test, "a", "b") + [stream], mode: .create)
        #expect(try await library.storedPlaylist("mix").last == stream)
        try await library.saveStoredPlaylist("mix", try await ids(test, "c"), mode: .append)
        #expect(try await names(test, "mix") == "a b http://x/y#Radio%20Nova c")
        try await library.insertIntoStoredPlaylist("mix", try await ids(test, "d"), at: 1)
        try await library.insertIntoStoredPlaylist("mix", try await ids(test, "a"), at: nil)
        #expect(try await names(test, "mix") == "a d b http://x/y#Radio%20Nova c a")
        try await library.deleteFromStoredPlaylist("mix", 3..<4)
        try await library.moveInStoredPlaylist("mix", 0..<2, to: 2)
        #expect(try await names(test, "mix") == "b c a d a")
        try await library.moveInStoredPlaylist("mix", 4..<5, to: 0)
        #expect(try await names(test, "mix") == "a b c a d")
        try await library.deleteFromStoredPlaylist("mix", 3..<Int.max)
        try await library.deleteFromStoredPlaylist("mix", 3..<4)
        #expect(try await names(test, "mix") == "a b c")
        try await library.renameStoredPlaylist("mix", to: "Mix 2")
        try await library.saveStoredPlaylist("Mix 2", try await ids(test, "d"), mode: .replace)
        #expect(try await names(test, "Mix 2") == "d")
        try await library.clearStoredPlaylist("Mix 2")
        #expect(try await library.storedPlaylist("Mix 2").isEmpty)
        try await library.insertIntoStoredPlaylist("new", [], at: nil)
        #expect(try await library.storedPlaylists().map(\.name) == ["Mix 2"])
        try await library.insertIntoStoredPlaylist("..", [stream], at: 0)
        #expect(try await library.storedPlaylists().map(\.name) == ["..", "Mix 2"])
        try await library.removeStoredPlaylist("Mix 2")
        #expect(try await library.storedPlaylists().map(\.name) == [".."])
    }

    @Test("A player that was saved with the values that every player begins with counts as saved")
    func savedDefaults() async throws {
        let test = try TestLibrary()
        let library = test.library
        #expect(try !library.hasSavedPlayer())
        try await library.savePlayer(SavedPlayer())
        #expect(try library.hasSavedPlayer())
        #expect(try library.savedPlayer() == SavedPlayer())
        #expect(try !library.hasSavedPlayer(of: "Kitchen"))
    }

    @Test("Playlist errors have their codes")
    func playlistErrors() async throws {
        let test = try await TestLibrary([song("a")])
        let library = test.library
        try await library.saveStoredPlaylist("x", try await ids(test, "a"), mode: .create)
        try await library.saveStoredPlaylist("y", [], mode: .create)
        func code(_ body: () async throws -> Void) async -> LibraryError.Code? {
            do {
                try await body()
                return nil
            } catch { return (error as? LibraryError)?.code }
        }
        #expect(await code { try await library.saveStoredPlaylist("x", [], mode: .create) } == .playlistExists)
        #expect(await code { try await library.saveStoredPlaylist("z", [], mode: .append) } == .noSuchPlaylist)
        #expect(await code { try await library.saveStoredPlaylist("z", [], mode: .replace) } == .noSuchPlaylist)
        #expect(await code { _ = try await library.storedPlaylist("z") } == .noSuchPlaylist)
        #expect(await code { try await library.clearStoredPlaylist("z") } == .noSuchPlaylist)
        #expect(await code { try await library.removeStoredPlaylist("z") } == .noSuchPlaylist)
        #expect(await code { try await library.renameStoredPlaylist("z", to: "q") } == .noSuchPlaylist)
        #expect(await code { try await library.renameStoredPlaylist("x", to: "y") } == .playlistExists)
        #expect(await code { try await library.deleteFromStoredPlaylist("x", 2..<3) } == .badPosition)
        #expect(await code { try await library.moveInStoredPlaylist("x", 0..<2, to: 0) } == .badPosition)
        #expect(await code { try await library.moveInStoredPlaylist("x", 0..<1, to: 1) } == .badPosition)
        #expect(await code { try await library.insertIntoStoredPlaylist("x", [], at: 2) } == .badPosition)
        for name in ["", "a/b", "a\nb", "a\rb", "a\u{0}b"] {
            #expect(await code { try await library.clearStoredPlaylist(name) } == .badPlaylistName)
        }
    }

    @Test("An entry of a song that is gone is hidden, keeps its place, and is back with the song")
    func hiddenEntries() async throws {
        let test = try await TestLibrary(["a", "b", "c"].map { song($0) })
        try await test.library.saveStoredPlaylist("x", try await ids(test, "a", "b", "c"), mode: .create)
        _ = try await test.library.index.apply(LibraryChanges(mount: "", removals: ["b"]))
        #expect(try await names(test, "x") == "a c")
        try await test.library.moveInStoredPlaylist("x", 1..<2, to: 0)
        #expect(try await names(test, "x") == "c a")
        _ = try await test.library.index.apply(LibraryChanges(mount: "", upserts: [song("b")]))
        #expect(try await names(test, "x").split(separator: " ").sorted() == ["a", "b", "c"])
    }

    @Test("The server's playlists come and change, those that can't be edited say why, and none takes a name twice")
    func serverPlaylists() async throws {
        let test = try await TestLibrary(["a", "b", "c"].map { song($0, id: "id-\($0)") })
        let library = test.library
        try await library.saveStoredPlaylist("Mine", try await ids(test, "c"), mode: .create)
        let first = [
            ServerPlaylist(
                serverID: "1", name: "Rock/Pop", changed: 5000, stamp: "A", locked: "",
                songIDs: ["id-b", "unknown", "id-a"]),
            ServerPlaylist(serverID: "2", name: "Mine", changed: 6000, stamp: "B", locked: "ann", songIDs: []),
        ]
        for playlist in first { #expect(try await library.mergePlaylist(playlist).isVisible) }
        for playlist in first { #expect(try await library.mergePlaylist(playlist) == PlaylistMergeOutcome()) }
        #expect(
            try await library.storedPlaylists().filter(\.isReadOnly) == [
                StoredPlaylist(name: "Mine", lastModified: 6, isReadOnly: true, owner: "ann"),
                StoredPlaylist(name: "Rock∕Pop", lastModified: 5, isReadOnly: true),
            ])
        #expect(try await names(test, "Rock∕Pop") == "b a")
        let lengths = try await library.lengthsOfStoredPlaylists(["Rock∕Pop", "Mine", "[Starred]"])
        #expect(lengths.mapValues(\.songs) == ["Rock∕Pop": 2, "Mine": 0])
        #expect(lengths["Mine"]?.first == nil)
        #expect(try await lengths["Rock∕Pop"]?.first.map { .song($0) } == ids(test, "b").first)
        #expect(try await names(test, "Mine (2)") == "c", "ours makes room")
        await #expect(
            throws: LibraryError(
                .playlistReadOnly, "Rock∕Pop is a smart playlist of the server and can't be edited here")
        ) {
            try await library.clearStoredPlaylist("Rock∕Pop")
        }
        await #expect(
            throws: LibraryError(.playlistReadOnly, "Mine belongs to ann on the server and can't be edited here")
        ) {
            try await library.removeStoredPlaylist("Mine")
        }
        let renamed = ServerPlaylist(
            serverID: "1", name: "Renamed", changed: 7000, stamp: "C", locked: "", songIDs: ["id-b", "id-c"])
        #expect(try await library.mergePlaylist(renamed).isVisible)
        #expect(try await library.storedPlaylists().map(\.name) == ["Mine", "Mine (2)", "Renamed"])
        #expect(try await names(test, "Renamed") == "b c")
    }

    @Test("The queue is as it was after a restart, and small changes are small writes")
    func queue() async throws {
        let test = try await TestLibrary(["a", "b"].map { song($0) })
        let songs = try await ids(test, "a", "b")
        var queue = SavedQueue(
            entries: [
                .init(id: QueueEntryID(rawValue: 7), item: songs[0]),
                .init(id: QueueEntryID(rawValue: 3), item: songs[1], priority: 9),
                .init(
                    id: QueueEntryID(rawValue: 8), item: songs[1],
                    range: SongRange(start: .milliseconds(1_250), end: nil)),
                .init(
                    id: QueueEntryID(rawValue: 9), item: songs[0],
                    range: SongRange(start: .zero, end: .milliseconds(2_001))),
                .init(
                    id: QueueEntryID(rawValue: 4_000_000_000),
                    item: .stream(url: "http://x", tags: [TagValue(.title, "ä")])),
            ], version: 4_294_967_295)
        #expect(try test.library.savedQueue() == SavedQueue())
        try await test.library.saveQueue(queue)
        #expect(try test.library.savedQueue() == queue)
        queue.entries.swapAt(0, 2)
        queue.entries.remove(at: 1)
        queue.version = 1
        try await test.library.saveQueue(queue)
        try test.library.close()
        let again = try Library(path: test.path)
        #expect(try again.savedQueue() == queue)
        try await again.saveQueue(SavedQueue())
        #expect(try again.savedQueue().entries.isEmpty)
        try again.close()
    }

    @Test("what changed in a queue can be saved alone")
    func queueChanges() async throws {
        let test = try await TestLibrary(["a", "b"].map { song($0) })
        let songs = try await ids(test, "a", "b")
        func entry(_ id: UInt32, _ song: Int, priority: Int = 0) -> SavedQueue.Entry {
            .init(id: QueueEntryID(rawValue: id), item: songs[song], priority: priority)
        }
        func numbered(_ numbers: UInt32...) -> [QueueEntryID] { numbers.map { QueueEntryID(rawValue: $0) } }
        try await test.library.saveQueue(SavedQueue(entries: [entry(1, 0), entry(2, 1), entry(3, 0)], version: 4))
        try await test.library.saveQueue(
            SavedQueueChanges(
                changed: [entry(9, 1), entry(3, 0, priority: 7)], gone: numbered(2), order: numbered(3, 9, 1),
                version: 5))
        let later = SavedQueue(entries: [entry(3, 0, priority: 7), entry(9, 1), entry(1, 0)], version: 5)
        #expect(try test.library.savedQueue() == later)
        try await test.library.saveQueue(SavedQueueChanges(changed: [], gone: numbered(1, 3, 9), order: [], version: 6))
        #expect(try test.library.savedQueue() == SavedQueue(version: 6))
        // Nothing is left behind that another queue could find.
        try await test.library.saveQueue(SavedQueueChanges(changed: [], gone: [], order: numbered(1, 3, 9), version: 7))
        #expect(try test.library.savedQueue() == SavedQueue(version: 7))
        try test.library.close()
    }

    @Test("Partitions keep what is theirs; what is saved for one that is gone is not kept")
    func partitions() async throws {
        let test = try await TestLibrary(["a", "b"].map { song($0) })
        let library = test.library
        let songs = try await ids(test, "a", "b")
        #expect(try library.partitionNames() == ["default"])
        try await library.addPartition("garden")
        try await library.addPartition("garden")
        try await library.addPartition("attic")
        #expect(try library.partitionNames() == ["default", "garden", "attic"])
        let queues = songs.map { SavedQueue(entries: [.init(id: QueueEntryID(rawValue: 7), item: $0)], version: 5) }
        var player = SavedPlayer()
        player.volume = 12
        try await library.saveQueue(queues[0])
        try await library.saveQueue(queues[1], of: "garden")
        try await library.savePlayer(player, of: "garden")
        try library.close()

        let again = try Library(path: test.path)
        #expect(try again.savedQueue() == queues[0])
        #expect(try again.savedQueue(of: "garden") == queues[1])
        #expect(try again.savedPlayer(of: "garden") == player)
        #expect(try again.savedPlayer() == SavedPlayer())
        try await again.removePartition("garden")
        try await again.removePartition("default")
        try await again.saveQueue(queues[1], of: "garden")
        try await again.savePlayer(player, of: "garden")
        #expect(try again.partitionNames() == ["default", "attic"])
        try await again.addPartition("garden")
        #expect(try again.savedQueue(of: "garden") == SavedQueue())
        #expect(try again.savedPlayer(of: "garden") == SavedPlayer())
        #expect(try again.savedQueue() == queues[0])
        try again.close()
    }

    @Test("Mounts are kept by name")
    func mounts() async throws {
        let test = try TestLibrary()
        try await test.library.addMount("usb", uri: "/media/usb")
        try await test.library.addMount("disk", uri: "/media/disk")
        try await test.library.removeMount("usb")
        #expect(try test.library.savedMounts().map { [$0.name, $0.uri] } == [["disk", "/media/disk"]])
    }

    @Test("The player is as it was after a restart")
    func player() async throws {
        let test = try TestLibrary()
        #expect(try test.library.savedPlayer() == SavedPlayer())
        var player = SavedPlayer()
        player.state = .pause
        player.position = 3
        player.elapsed = .milliseconds(12_345)
        player.isRepeating = true
        player.isRandom = true
        player.single = .oneshot
        player.consume = .on
        player.volume = 37
        player.crossfade = 5
        player.mixRampThreshold = -17.5
        player.mixRampDelay = 2.25
        player.replayGainMode = .album
        player.lastLoadedPlaylist = "Mix"
        player.outputs = [
            SavedOutput(name: "Speakers", isEnabled: false, attributes: ["volume": "40", "eq": "a \"b\""]),
            SavedOutput(name: "Null", isEnabled: true),
            SavedOutput(name: "Attic", isEnabled: true, isMovedAway: true),
        ]
        try await test.library.savePlayer(player)
        #expect(try test.library.savedPlayer() == player)
        player.position = nil
        player.mixRampDelay = nil
        player.outputs = [SavedOutput(name: "Null", isEnabled: false)]
        try await test.library.savePlayer(player)
        #expect(try test.library.savedPlayer() == player)
    }

    @Test("Plays wait in order, with the server's ids, until they are removed; those of local files don't")
    func outbox() async throws {
        let test = try await TestLibrary([song("a", id: "id-a"), song("b", id: "id-b")])
        var local = song("c", mount: "local")
        local.source = .localFile(path: "/music/c")
        _ = try await test.library.index.apply(LibraryChanges(mount: "local", upserts: [local]))
        let numbers = try await test.numbers()
        for (uri, time) in [("a", 1), ("local/c", 2), ("b", 3), ("a", 4)] as [(String, Int64)] {
            try await test.library.enqueuePlay(song: try #require(numbers[uri]), startedAt: time)
        }
        let plays = try await test.library.waitingPlays(limit: 10)
        #expect(plays.map(\.serverSongID) == ["id-a", "id-b", "id-a"])
        #expect(plays.map(\.startedAt) == [1, 3, 4])
        #expect(try await test.library.waitingPlays(limit: 1) == [plays[0]])
        // A song that the server lost is still submitted: the server decides.
        _ = try await test.library.index.apply(LibraryChanges(mount: "", removals: ["id-b"]))
        try await test.library.removePlays([plays[0].id])
        #expect(try await test.library.waitingPlays(limit: 10).map(\.startedAt) == [3, 4])
    }

    @Test("Facts are kept and forgotten")
    func facts() async throws {
        let test = try TestLibrary()
        #expect(try await test.library.fact("scan") == nil)
        try await test.library.setFact("scan", "1")
        try await test.library.setFact("scan", "2")
        #expect(try await test.library.fact("scan") == "2")
        try await test.library.setFact("scan", nil)
        #expect(try await test.library.fact("scan") == nil)
    }

    @Test("Sources and pictures")
    func sources() async throws {
        let test = try await TestLibrary([song("A/1", id: "id", cover: "mf-1"), song("A/2")])
        var local = song("B/3", mount: "local")
        local.source = .localFile(path: "/music/B/3.flac")
        _ = try await test.library.index.apply(LibraryChanges(mount: "local", upserts: [local]))
        let numbers = try await test.numbers()
        let number = try #require(numbers["local/B/3"])
        let source = try #require(try await test.library.index.source(of: number))
        #expect(source.source == .localFile(path: "/music/B/3.flac"))
        #expect(source.suffix == "flac" && source.size == 1000)
        #expect(try await test.library.index.source(of: SongID(rawValue: 99)) == nil)
        let library = test.library
        #expect(try await library.index.pictureSource(at: "A/1", isDirectory: false) == .navidrome(coverArtID: "mf-1"))
        #expect(try await library.index.pictureSource(at: "A/2", isDirectory: false) == nil)
        #expect(try await library.index.pictureSource(at: "A", isDirectory: true) == .navidrome(coverArtID: "mf-1"))
        #expect(
            try await library.index.pictureSource(at: "local/B/3", isDirectory: false)
                == .local(songPath: "/music/B/3.flac"))
        #expect(
            try await library.index.pictureSource(at: "local/B", isDirectory: true) == .localFolder(path: "/music/B"))
        #expect(
            try await library.index.pictureSource(at: "local", isDirectory: true) == .local(songPath: "/music/B/3.flac")
        )
        #expect(try await library.index.pictureSource(at: "nope", isDirectory: true) == nil)
        let first = try #require(numbers["A/1"])
        #expect(try await library.index.queueable([first]).values.first?.replayGain.trackGain == -6.5)
        let known = try await library.index.song(at: "A/1")
        #expect(known?.replayGain == ReplayGain(trackGain: -6.5))
    }

    @Test("All four values of a song's loudness come back, for itself and for the queue")
    func loudness() async throws {
        let test = try TestLibrary()
        var loud = song("loud.flac")
        loud.replayGain = ReplayGain(trackGain: -3.5, trackPeak: 0.98, albumGain: -4.25, albumPeak: 1.02)
        _ = try await test.library.index.apply(LibraryChanges(mount: "", upserts: [loud]))
        let known = try #require(try await test.library.index.song(at: "loud.flac"))
        #expect(known.replayGain == loud.replayGain)
        let number = try #require(known.id)
        #expect(try await test.library.index.queueable([number]).values.first?.replayGain == loud.replayGain)
        #expect(try await test.library.index.queueable(below: "").map(\.replayGain) == [loud.replayGain])
    }
}
