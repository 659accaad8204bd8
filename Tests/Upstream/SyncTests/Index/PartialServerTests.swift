@testable import Sync
import LibraryIndex
import MusicModel
import Subsonic
import SyncBench
import TestSupport
import Testing
import UserLibrary

@Suite("Servers that don't list everything")
struct PartialServerTests {
    @Test(
        "songs of a server whose search for nothing finds nothing are found by their albums",
        arguments: [FakeOptions.Kind.navidrome, .supysonic])
    func noEmptySearch(kind: FakeOptions.Kind) async throws {
        var options = FakeOptions()
        (options.kind, options.findsAll) = (kind, false)
        let bench = try await ServerBench(songs: 130, options: options)
        #expect(try await bench.sync.syncOnce().added == 130)
        #expect(try await bench.isInStep())
        bench.server.change { $0.remove(5) }
        #expect(try await bench.sync.syncOnce().removed == 5)
        bench.server.scan()
        bench.recorder.reset()
        #expect(try await !bench.sync.syncOnce().changedSongs)
        #expect(bench.recorder.now.subsystems.isEmpty)
        await bench.stop()
    }

    @Test(
        "songs in no album of such a server are found by their folders, where it has more than its albums",
        arguments: [FakeOptions.Kind.navidrome, .supysonic], [true, false])
    func noAlbum(kind: FakeOptions.Kind, hasAlbums: Bool) async throws {
        var options = FakeOptions()
        (options.kind, options.findsAll, options.showsFolders) = (kind, false, true)
        var library = FakeLibrary(songs: 60)
        for place in 0..<60 where place % 10 == 0 || !hasAlbums { library.edit(place) { $0.album = "" } }
        library.edit(10) { $0.path = "loose.wav" }
        let bench = try await ServerBench(library: library, options: options)
        #expect(try await bench.sync.syncOnce().added == 60)
        #expect(try await bench.isInStep())
        bench.server.change { $0.remove(5) }
        #expect(try await bench.sync.syncOnce().removed == 5)
        // A server that counts no more than its albums have is not asked for folders.
        guard kind == .navidrome, hasAlbums else { return await bench.stop() }
        for song in bench.server.songs where song.album.isEmpty { bench.server.edit(song.id) { $0.album = "One" } }
        _ = try await bench.sync.syncOnce()
        bench.server.forgetRequests()
        bench.server.scan()
        _ = try await bench.sync.syncOnce()
        #expect(bench.calls.contains("getAlbum") && !bench.calls.contains("getMusicDirectory"))
        await bench.stop()
    }

    @Test("an empty list is not believed of a server that counts songs", arguments: [false, true])
    func contradiction(hasLastScan: Bool) async throws {
        let bench = try await ServerBench(songs: 60)
        let scan = hasLastScan ? #","lastScan":"2026-11-21T01:15:45Z""# : ""
        let frame = #"{"subsonic-response":{"status":"ok","version":"1.15.0","#
        let answers = [
            "search3": #""searchResult3":{}"#, "getAlbumList2": #""albumList2":{}"#,
            "getScanStatus": #""scanStatus":{"scanning":false,"count":3\#(scan)}"#,
        ]
        for (call, body) in answers { bench.server.setAnswer(of: call, Array("\(frame)\(body)}}".utf8)) }
        // At first, and with songs that are known.
        for known in [0, 60] {
            await #expect {
                try await bench.sync.syncOnce()
            } throws: { error in
                "\(error)".contains("reports 3 songs, but lists none")
            }
            #expect(bench.recorder.now.connections.last == .unreachable)
            #expect(try await bench.library.allIDs().count == known)
            if known == 0 {
                for call in answers.keys { bench.server.setAnswer(of: call, nil) }
                _ = try await bench.sync.syncOnce()
                for (call, body) in answers { bench.server.setAnswer(of: call, Array("\(frame)\(body)}}".utf8)) }
            }
        }
        await bench.stop()
    }

    /// A server with two libraries, of which the second has 30 of 90 songs.
    private func twoLibraries() async throws -> ServerBench {
        let bench = try await ServerBench(songs: 90)
        for song in bench.server.songs[20..<50] { bench.server.edit(song.id) { $0.libraryID = 2 } }
        return bench
    }

    @Test("a user who sees a part of what the server counts is served by one walk for each scan")
    func countOfOthers() async throws {
        let bench = try await twoLibraries()
        #expect(try await bench.sync.syncOnce().songs == 60)
        #expect(try await bench.isInStep())
        for step in 0..<3 {
            bench.server.forgetRequests()
            bench.server.change { step == 1 ? $0.add(5) : $0.touch(1) }
            _ = try await bench.sync.syncOnce()
            #expect(try await bench.isInStep())
            let pages = bench.server.requests.filter { $0.call == "search3" && $0["songCount"] != "0" }
            #expect(pages.map { $0["songOffset"] }.filter { $0 == "0" }.count == 1, "one walk")
        }
        await bench.stop()
    }

    @Test("a library that a user is given or loses comes or goes with the next look, without a scan")
    func rights() async throws {
        let bench = try await twoLibraries()
        _ = try await bench.sync.syncOnce()
        let ids = try await bench.idsByServerID()
        let steps: [(libraries: Set<Int>, songs: Int)] = [([1, 2], 90), ([2], 30), ([], 0), ([1, 2], 90), ([1], 60)]
        for (libraries, songs) in steps {
            bench.server.libraries = libraries
            #expect(try await bench.sync.syncOnce().songs == songs)
            #expect(try await bench.isInStep())
            // Nothing more is done until something changes.
            bench.server.forgetRequests()
            #expect(try await bench.sync.syncOnce().wasUnchanged)
            #expect(!bench.calls.contains("search3"))
            if songs == 0 {
                bench.server.scan()
                #expect(try await bench.sync.syncOnce().songs == 0)
            }
        }
        #expect(try await bench.idsByServerID() == ids, "with their numbers")
        await bench.stop()
    }

    @Test("an index from before libraries were asked for notices that one is lost, and is not walked for it")
    func olderIndex() async throws {
        let bench = try await twoLibraries()
        bench.server.libraries = [1, 2]
        _ = try await bench.sync.syncOnce()
        try await bench.library.setFact("sync..libraries", nil)
        #expect(try await bench.sync.syncOnce().wasUnchanged)
        bench.server.libraries = [1]
        #expect(try await bench.sync.syncOnce().removed == 30)
        await bench.stop()
    }

    @Test("a first scan of the server that takes long shows what is there meanwhile")
    func longFirstScan() async throws {
        let bench = try await ServerBench(songs: 30)
        bench.server.isScanning = true
        for songs in [30, 50, 90] {
            await #expect(throws: SyncPostponed.self) { try await bench.sync.syncOnce() }
            #expect(try await bench.library.allIDs().count == songs)
            bench.server.change { $0.add(songs == 30 ? 20 : 40) }
        }
        #expect(bench.recorder.now.subsystems.contains(.database))
        bench.server.isScanning = false
        _ = try await bench.sync.syncOnce()
        #expect(try await bench.isInStep())
        await bench.stop()
    }

    @Test("a smart playlist is read again after a walk that found changes")
    func smartPlaylist() async throws {
        let bench = try await ServerBench(songs: 60)
        let ids = bench.server.songs.map(\.id)
        bench.server.playlists = [FakePlaylist(id: "s", name: "Smart", songIDs: [ids[0]], isReadOnly: true)]
        _ = try await bench.sync.syncOnce()
        // Its date does not tell.
        bench.server.playlists[0].songIDs = [ids[0], ids[1]]
        _ = try await bench.sync.syncOnce()
        #expect(try await bench.library.storedPlaylist("Smart").count == 1)
        bench.server.change { $0.touch(1) }
        _ = try await bench.sync.syncOnce()
        #expect(try await bench.library.storedPlaylist("Smart").count == 2)
        await bench.stop()
    }
}
