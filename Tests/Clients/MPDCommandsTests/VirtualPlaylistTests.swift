import MPDCommands
import MusicModel
import Playback
import ServerLoop
import Testing
import UserLibrary

@Suite("Playlists that Segue makes itself")
struct VirtualPlaylistTests {
    private func desk() async throws -> Desk {
        let desk = try await Desk()
        _ = await desk.ask("add \"Anna Ärger\"")
        let items = await desk.queueItems
        _ = await desk.ask("clear")
        await desk.add(VirtualPlaylist("[Made]", modified: { 0 }, items: { items }))
        _ = await desk.takeEvents()
        return desk
    }

    @Test("They are listed, read, searched and loaded as others are")
    func reading() async throws {
        let desk = try await desk()
        #expect(
            await desk.ask("listplaylists") == ["playlist: [Made]", "Last-Modified: 1970-01-01T00:00:00Z", "OK"])
        #expect(await desk.ask("lsinfo").contains("playlist: [Made]"))
        #expect(await desk.ask("playlistlength [Made]").first == "songs: 4")
        #expect(
            await desk.ask("listplaylist [Made] 3:") == ["file: Anna Ärger/Gelb/01 - Sonne.flac", "OK"])
        #expect(await desk.ask("listplaylistinfo [Made] 0:1").contains("Title: Himmel"))
        #expect(await desk.ask("searchplaylist [Made] title sonne").contains("Pos: 3"))
        #expect(await desk.ask("load [Made] 1:3") == ["OK"])
        #expect(await desk.ask("status").contains("playlistlength: 2"))
        #expect(await desk.ask("status").contains("lastloadedplaylist: [Made]"))
        try await desk.close()
    }

    @Test("Every edit is refused with a sentence, nothing changes, and no one is woken")
    func editing() async throws {
        let desk = try await desk()
        _ = await desk.ask("add root.flac")
        _ = await desk.ask("save mine")
        _ = await desk.takeEvents()
        for line in [
            "save [Made]", "save [Made] append", "save [Made] replace", "playlistadd [Made] root.flac",
            "playlistadd [Made] root.flac 0", "playlistclear [Made]", "playlistdelete [Made] 0",
            "playlistmove [Made] 0 1", "rename [Made] x", "rename mine [Made]", "rm [Made]",
            "searchaddpl [Made] title root",
        ] {
            let command = line.prefix { $0 != " " }
            #expect(
                await desk.ask(line)
                    == ["ACK [52@0] {\(command)} [Made] is made by Segue itself and can't be edited"], "\(line)")
        }
        #expect(await desk.takeEvents() == [])
        #expect(await desk.ask("playlistlength [Made]").first == "songs: 4")
        try await desk.close()
    }

    @Test("Another client's queue comes with its place, paused, unless music plays; a part of it, too")
    func otherQueue() async throws {
        let desk = try await desk()
        await desk.setOtherQueue(Elsewhere(place: (index: 2, elapsed: .seconds(3))))
        _ = await desk.ask("add root.flac")
        #expect(await desk.ask("load [Made]") == ["OK"])
        var status = await desk.ask("status")
        #expect(status.contains("state: pause") && status.contains("song: 3") && status.contains("elapsed: 3.000"))
        _ = await desk.ask("clear")
        _ = await desk.ask("load [Made] 2:3")
        status = await desk.ask("status")
        #expect(status.contains("state: pause") && status.contains("song: 0"))
        _ = await desk.ask("clear")
        _ = await desk.ask("load [Made] 0:1")
        #expect(await desk.ask("status").contains("state: stop"), "its current song is not in that part")
        _ = await desk.ask("play")
        _ = await desk.ask("load [Made]")
        status = await desk.ask("status")
        #expect(status.contains("state: play") && status.contains("song: 0"))
        try await desk.close()
    }

    private struct Elsewhere: OtherQueueProviding {
        let playlistName = "[Made]"
        let place: (index: Int, elapsed: Duration)?
        func place() async -> (index: Int, elapsed: Duration)? { place }
    }
}

extension Desk {
    fileprivate func add(_ playlist: VirtualPlaylist) { context.library.virtualPlaylists.add(playlist) }
    fileprivate var queueItems: [QueueItem] { client.partition.player.entries.map(\.item) }
    fileprivate func setOtherQueue(_ queue: any OtherQueueProviding & Sendable) {
        reassemble { parts, _ in parts.otherQueue = queue }
    }
}
