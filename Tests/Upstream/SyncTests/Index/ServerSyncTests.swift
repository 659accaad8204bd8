import LibraryIndex
@testable import Sync
import MusicModel
import Subsonic
import SyncBench
import TestSupport
import Testing
import UserLibrary

@Suite("Sync with a server")
struct ServerSyncTests {
    @Test("a first sync brings every song with its tags, shows progress and tells clients")
    func firstSync() async throws {
        let bench = try await ServerBench()
        let summary = try await bench.sync.syncOnce()
        #expect(summary.added == 420 && summary.songs == 420 && summary.removed == 0)
        #expect(try await bench.isInStep())
        let fake = try #require(bench.server.songs.first { $0.artists.count == 2 && $0.composers.count == 2 })
        let song = try #require(try await bench.library.index.song(at: fake.path))
        func values(_ tag: MusicModel.Tag) -> [String] { song.tags.filter { $0.tag == tag }.map(\.value) }
        #expect(values(.artist) == fake.artists)
        #expect(values(.albumArtist) == fake.albumArtists)
        #expect(values(.genre) == fake.genres)
        #expect(values(.composer) == fake.composers)
        #expect(values(.track) == ["\(fake.track)"])
        #expect(values(.musicBrainzArtistID) == fake.artists.map { "mbid-\(FakeSong.artistID($0))" })
        #expect(song.duration == .seconds(fake.duration))
        #expect(song.lastModified == fake.modified)
        #expect(song.added == fake.created)
        let heard = bench.recorder.now
        #expect(heard.connections == [.connected])
        #expect(heard.sentences.first?.contains("Navidrome 0.63.2 at http://127.0.0.1:") == true)
        #expect(heard.lastProgress?.done == 420 && heard.lastProgress?.total == 420)
        #expect(heard.subsystems.filter { $0 == .database }.count >= 2, "batches show before the end")
        await bench.stop()
    }

    @Test("a sync without a change asks four times, writes nothing and raises no event")
    func noChange() async throws {
        let bench = try await ServerBench()
        _ = try await bench.sync.syncOnce()
        let before = try await bench.library.index.statistics()
        bench.recorder.reset()
        bench.server.forgetRequests()
        let summary = try await bench.sync.syncOnce()
        #expect(summary.wasUnchanged && !summary.changedSongs)
        let looks = ["getInternetRadioStations", "getMusicFolders", "getPlaylists", "getScanStatus"]
        #expect(bench.calls.sorted() == looks)

        // A scan that found nothing makes a walk, which finds nothing either.
        bench.server.scan()
        #expect(try await !bench.sync.syncOnce().changedSongs)
        #expect(bench.calls.contains("search3"))
        #expect(bench.recorder.now.subsystems.isEmpty)
        #expect(try await bench.library.index.statistics() == before)
        await bench.stop()
    }

    @Test("touched, new, lost, restored and moved songs arrive, and every song keeps its number")
    func changes() async throws {
        let bench = try await ServerBench()
        _ = try await bench.sync.syncOnce()
        let ids = try await bench.idsByServerID()
        let steps: [(String, @Sendable (inout FakeLibrary) -> [Int])] = [
            ("touch", { $0.touch(7) }), ("add", { $0.add(9) }), ("remove", { $0.remove(5) }), ("move", { $0.move(6) }),
            ("restore", { $0.restore(5) }),
        ]
        for (name, step) in steps {
            bench.recorder.reset()
            let changed = bench.server.change(step)
            let summary = try await bench.sync.syncOnce()
            #expect(try await bench.isInStep(), "\(name)")
            #expect(summary.added + summary.updated + summary.removed == changed.count, "\(name)")
            #expect(bench.recorder.now.subsystems == [.database], "\(name)")
            for (serverID, id) in try await bench.idsByServerID() {
                if let known = ids[serverID] { #expect(known == id, "\(name)") }
            }
        }
        #expect(try await bench.idsByServerID().count == 429)
        await bench.stop()
    }

    @Test("the player hears of songs that changed or went")
    func songsChanged() async throws {
        let bench = try await ServerBench(songs: 60)
        _ = try await bench.sync.syncOnce()
        let ids = try await bench.idsByServerID()
        bench.recorder.reset()
        let touched = bench.server.change { $0.touch(1) }
        _ = try await bench.sync.syncOnce()
        #expect(bench.recorder.now.updated == Set(touched.compactMap { ids[$0] }))
        let removed = bench.server.change { $0.remove(2) }
        _ = try await bench.sync.syncOnce()
        #expect(bench.recorder.now.removed == Set(removed.compactMap { ids[$0] }))
        await bench.stop()
    }

    @Test("a rebuilt server gives every song a new id, and none a new number")
    func rebuild() async throws {
        let bench = try await ServerBench()
        _ = try await bench.sync.syncOnce()
        let numbers = try await bench.library.allIDs()
        bench.server.change { $0.rebuild() }
        _ = try await bench.sync.syncOnce()
        #expect(try await bench.library.allIDs() == numbers)
        #expect(Set(try await bench.idsByServerID().keys) == Set(bench.server.songs.map(\.id)))
        await bench.stop()
    }

    @Test("songs with the same path, without tags, with line feeds, of zero length and without an id")
    func oddSongs() async throws {
        var songs = (0..<3).map { FakeSong(id: "dup\($0)", title: "Same \($0)", path: "A/B/same.flac") }
        songs.append(FakeSong(id: "lines", title: "One\nTwo\u{0}", path: "A/B/line\nfeed.flac"))
        songs.append(FakeSong(id: "long", title: String(repeating: "x", count: 10_240), path: "/A//B/long.flac"))
        songs.append(FakeSong(id: "zero", title: "Zero", duration: 0, path: "A/B/zero.flac"))
        var bare = FakeSong(id: "bare", title: "")
        bare.rawJSON = #"{"id":"bare"}"#
        var nameless = FakeSong(id: "nameless", title: "")
        nameless.rawJSON = #"{"title":"no id"}"#
        songs += [bare, nameless]
        let bench = try await ServerBench(library: FakeLibrary(songs))
        let summary = try await bench.sync.syncOnce()
        #expect(summary.added == 7 && summary.skipped == 1)
        let found = try await bench.library.allSongs()
        #expect(found.count == 7)
        #expect(found.keys.filter { $0.hasPrefix("A/B/same") }.count == 3)
        #expect(found.keys.allSatisfy { !$0.contains("\n") && !$0.hasPrefix("/") && !$0.contains("//") })
        #expect(found.values.contains { $0.first(.title) == "One Two" })
        #expect(found.values.contains { $0.first(.title)?.utf8.count ?? 0 >= 4_000 })
        bench.recorder.reset()
        bench.server.scan()
        #expect(try await !bench.sync.syncOnce().changedSongs)
        #expect(bench.recorder.now.subsystems.isEmpty)
        await bench.stop()
    }

    @Test("playlists come with their entries, and only those that changed are fetched again")
    func playlists() async throws {
        let bench = try await ServerBench(songs: 60)
        let ids = bench.server.songs.map(\.id)
        bench.server.playlists = [
            FakePlaylist(id: "p1", name: "Morning", songIDs: Array(ids[0..<3])),
            FakePlaylist(id: "p2", name: "Evening", songIDs: [ids[5], ids[5], ids[4]]),
            FakePlaylist(id: "p3", name: "Morning", songIDs: [ids[9]], isReadOnly: true),
        ]
        #expect(try await bench.sync.syncOnce().playlistsChanged)
        #expect(bench.recorder.now.subsystems.last == .storedPlaylist)
        let numbers = try await bench.idsByServerID()
        func entries(_ name: String) async throws -> [QueueItem] { try await bench.library.storedPlaylist(name) }
        func items(_ places: [Int]) -> [QueueItem] { places.compactMap { numbers[ids[$0]] }.map { .song($0) } }
        #expect(try await bench.library.storedPlaylists().count == 3)
        #expect(try await entries("Evening") == items([5, 5, 4]))
        bench.recorder.reset()
        bench.server.forgetRequests()
        _ = try await bench.sync.syncOnce()
        #expect(!bench.calls.contains("getPlaylist"))
        #expect(bench.recorder.now.subsystems.isEmpty)

        bench.server.playlists[1].songIDs = [ids[7]]
        bench.server.playlists[1].changed += 10
        bench.server.forgetRequests()
        #expect(try await bench.sync.syncOnce().playlistsChanged)
        #expect(bench.calls.filter { $0 == "getPlaylist" }.count == 1)
        #expect(try await entries("Evening") == items([7]))
        #expect(bench.recorder.now.subsystems == [.storedPlaylist])

        bench.server.playlists.removeFirst()
        #expect(try await bench.sync.syncOnce().playlistsChanged)
        #expect(try await bench.library.storedPlaylists().count == 2)
        await bench.stop()
    }

    @Test("an old server without scan status is walked whole, and an empty answer does not wipe the index")
    func oldServer() async throws {
        var options = FakeOptions()
        options.kind = .supysonic
        let bench = try await ServerBench(songs: 125, options: options)
        let summary = try await bench.sync.syncOnce()
        #expect(summary.added == 125)
        #expect(try await bench.isInStep())
        bench.recorder.reset()
        #expect(try await !bench.sync.syncOnce().changedSongs)
        #expect(bench.recorder.now.subsystems.isEmpty)

        bench.server.change { $0.remove(5) }
        #expect(try await bench.sync.syncOnce().removed == 5)

        bench.server.change { $0.remove(120) }
        await #expect(throws: SyncPostponed.self) { try await bench.sync.syncOnce() }
        #expect(try await bench.library.allIDs().count == 120)

        bench.server.change { $0.restore(30) }
        await #expect(throws: SyncPostponed.self) { try await bench.sync.syncOnce() }
        #expect(try await bench.library.allIDs().count == 120)
        // The same again is believed.
        _ = try await bench.sync.syncOnce()
        #expect(try await bench.isInStep())
        await bench.stop()
    }

    @Test("a server that confirms an empty library is believed")
    func emptiedServer() async throws {
        let bench = try await ServerBench(songs: 60)
        _ = try await bench.sync.syncOnce()
        bench.server.change { $0.remove(60) }
        #expect(try await bench.sync.syncOnce().removed == 60)
        #expect(try await bench.library.allIDs().isEmpty)
        await bench.stop()
    }
}
