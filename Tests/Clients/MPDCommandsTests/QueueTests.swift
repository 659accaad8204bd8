import LibraryIndex
import MPDCommands
import MusicModel
import Playback
import ServerLoop
import Testing
import UserLibrary

/// What 0.24 does and 0.23.12, of the transcripts, doesn't; expectations from its source.
@Suite("The queue as of MPD 0.24")
struct QueueTests {
    @Test("playlistfind sorts and cuts out a window")
    func matching() async throws {
        let desk = try await Desk()
        _ = await desk.ask("add \"Anna Ärger\"")
        let anna = "playlistfind artist \"Anna Ärger\""
        #expect(await titles(desk, "\(anna) sort Title") == ["Himmel", "Meer", "Sonne", "Zehn"])
        #expect(await titles(desk, "\(anna) sort -Track window 0:2") == ["Zehn", "Meer"])
        #expect(await titles(desk, "\(anna) window 1:3") == ["Meer", "Zehn"])
        #expect(await titles(desk, "\(anna) sort -Last-Modified window 0:1") == ["Sonne"])
        _ = await desk.ask("prio 10 2")
        #expect(await titles(desk, "\(anna) sort -prio window 0:2") == ["Zehn", "Himmel"])
        #expect(await titles(desk, "playlistfind \"(prio >= 10)\"") == ["Zehn"])
        #expect(await titles(desk, "playlistsearch title ME") == ["Himmel", "Meer"])
        #expect(await desk.ask("\(anna) sort nope") == ["ACK [2@0] {playlistfind} Unknown sort tag"])
        #expect(await desk.ask("\(anna) window 5:6") == ["ACK [2@0] {playlistfind} Bad song index"])
        #expect(await desk.ask("\(anna) sort Title window 5:6") == ["ACK [2@0] {playlistfind} Bad song index"])
        try await desk.close()
    }

    @Test("Tags of a stream can be edited, and its URL shows no password")
    func streams() async throws {
        let desk = try await Desk()
        #expect(await desk.ask("addid \"http://me:secret@example.org/radio#Nova\"") == ["Id: 1", "OK"])
        _ = await desk.ask("addtagid 1 title Morning")
        _ = await desk.ask("addtagid 1 artist Nova")
        _ = await desk.ask("addtagid 1 artist \"\"")
        let file = "file: http://example.org/radio#Nova"
        #expect(
            await desk.ask("playlistinfo") == [file, "Title: Morning", "Artist: Nova", "Pos: 0", "Id: 1", "OK"])
        #expect(await desk.ask("playlist") == ["0:" + file, "OK"])
        _ = await desk.ask("cleartagid 1 title")
        #expect(await desk.ask("playlistid 1") == [file, "Artist: Nova", "Pos: 0", "Id: 1", "OK"])
        _ = await desk.ask("cleartagid 1")
        #expect(await desk.ask("playlistid 1") == [file, "Pos: 0", "Id: 1", "OK"])
        try await desk.close()
    }

    @Test("A queue longer than a batch is answered whole and in order")
    func long() async throws {
        let desk = try await Desk()
        for _ in 0..<200 { _ = await desk.ask("add \"\"") }
        let answer = await desk.ask("playlistinfo")
        let positions = answer.filter { $0.hasPrefix("Pos: ") }
        #expect(positions == (0..<1600).map { "Pos: \($0)" })
        #expect(answer.filter { $0.hasPrefix("file: ") }.count == 1600)
        #expect(await desk.ask("playlist").count == 1601)
        #expect(await titles(desk, "playlistfind title Zehn").count == 200)
        try await desk.close()
    }

    @Test("tagtypes decides which tags songs of the queue show")
    func mask() async throws {
        let desk = try await Desk()
        _ = await desk.ask("add root.flac")
        _ = await desk.ask("tagtypes reset Date")
        #expect(await desk.ask("playlistinfo").filter { $0.contains("Title") || $0.contains("Date") } == ["Date: 1998"])
        try await desk.close()
    }

    @Test("A song that left the library keeps its row, title and id while it plays, is paused or is about to go")
    @ServerActor
    func vanished() async throws {
        let desk = try await Desk()
        _ = await desk.ask("add \"Anna Ärger/Blau\"")
        _ = await desk.ask("play 1")
        let requests = [
            "currentsong", "playlistinfo", "playlistinfo 1", "playlist", "playlistid 2", "plchanges 0",
            "plchangesposid 0", "playlistfind title Meer",
        ]
        let tagTypes = ["tagtypes all", "tagtypes clear", "tagtypes enable Title Comment"]
        @ServerActor
        func answers() async -> [[String]] {
            var all: [[String]] = []
            for types in tagTypes {
                _ = await desk.ask(types)
                for request in requests { all.append(await desk.ask(request)) }
            }
            return all
        }
        let before = await answers()
        #expect(before[0].contains("Title: Meer") && before[0].contains("Id: 2"))
        let library = desk.context.library
        let ids = try await library.index.findQueueable(SongQuery(.all)).map(\.id)
        _ = try await library.index.apply(.init(mount: "", removals: ["Anna Ärger/Blau/02 - Meer.flac"]))
        let gone = Set(ids).subtracting(try await library.index.findQueueable(SongQuery(.all)).map(\.id))
        #expect(gone.count == 1)
        // Between the index and the queue's own news.
        #expect(await answers() == before)
        try desk.client.partition.player.editAtOnce { $0.removeSongs(gone) }
        #expect(await answers() == before)
        _ = await desk.ask("pause 1")
        #expect(await answers() == before)
        #expect(await desk.ask("find title Meer") == ["OK"])
        // Entries that don't play leave, and the others close up.
        _ = await desk.ask("stop")
        try desk.client.partition.player.editAtOnce { $0.removeSongs(gone) }
        _ = await desk.ask("tagtypes all")
        #expect(await titles(desk, "playlistinfo") == ["Himmel", "Zehn"])
        #expect(await desk.ask("playlist").dropLast().map { $0.prefix(2) } == ["0:", "1:"])
        try desk.close()
    }

    private func titles(_ desk: Desk, _ request: String) async -> [String] {
        await desk.ask(request).filter { $0.hasPrefix("Title: ") }.map { String($0.dropFirst(7)) }
    }
}
