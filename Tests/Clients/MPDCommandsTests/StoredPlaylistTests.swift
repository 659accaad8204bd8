import MPDCommands
import ServerLoop
import Testing

/// What 0.24 does and 0.23.12, of the transcripts, doesn't; expectations from its source.
@Suite("Stored playlists as of MPD 0.24")
struct StoredPlaylistTests {
    @Test("save creates, appends or replaces, each only where it may")
    func save() async throws {
        let desk = try await Desk()
        _ = await desk.ask("add root.flac")
        #expect(await desk.ask("save mine append") == ["ACK [50@0] {save} No such playlist"])
        #expect(await desk.ask("save mine replace") == ["ACK [50@0] {save} No such playlist"])
        #expect(await desk.ask("save mine") == ["OK"])
        #expect(await desk.ask("save mine append") == ["OK"])
        #expect(await desk.ask("listplaylist mine") == ["file: root.flac", "file: root.flac", "OK"])
        #expect(await desk.ask("save mine replace") == ["OK"])
        #expect(await desk.ask("listplaylist mine") == ["file: root.flac", "OK"])
        #expect(await desk.ask("save mine create") == ["ACK [56@0] {save} Playlist already exists"])
        let modes = "Unrecognized save mode, expected one of 'create', 'append', 'replace'"
        #expect(await desk.ask("save mine other") == ["ACK [2@0] {save} \(modes)"])
        try await desk.close()
    }

    @Test("Lists show ranges, lengths and what matches")
    func reading() async throws {
        let desk = try await Desk()
        _ = await desk.ask("add \"Anna Ärger\"")
        _ = await desk.ask("addid \"http://example.org/#Radio\"")
        _ = await desk.ask("save mine")
        #expect(await desk.ask("playlistlength mine") == ["songs: 5", "playtime: 41", "OK"])
        #expect(await desk.ask("playlistlength nope") == ["ACK [50@0] {playlistlength} No such playlist"])
        #expect(
            await desk.ask("listplaylist mine 3:") == [
                "file: Anna Ärger/Gelb/01 - Sonne.flac", "file: http://example.org/#Radio", "OK",
            ])
        #expect(await desk.ask("listplaylist mine 9:") == ["OK"])
        _ = await desk.ask("tagtypes clear")
        let found = await desk.ask("searchplaylist mine \"(title contains 'E')\" window 1:3")
        #expect(
            found.filter { $0.hasPrefix("Pos: ") || $0.hasPrefix("file: ") } == [
                "file: Anna Ärger/Blau/02 - Meer.flac", "Pos: 1", "file: Anna Ärger/Blau/10 - Zehn.flac", "Pos: 2",
            ])
        #expect(
            await desk.ask("searchplaylist mine title meer window 0:1") == [
                "ACK [2@0] {searchplaylist} too many arguments for \"searchplaylist\""
            ])
        #expect(await desk.ask("searchplaylist mine nope x") == ["ACK [2@0] {searchplaylist} Unknown filter type"])
        try await desk.close()
    }

    @Test("Ranges of a list move together")
    func moving() async throws {
        let desk = try await Desk()
        _ = await desk.ask("add \"Anna Ärger/Blau\"")
        _ = await desk.ask("add root.flac")
        _ = await desk.ask("save mine")
        #expect(await desk.ask("playlistmove mine 0:2 2") == ["OK"])
        #expect(
            await desk.ask("listplaylist mine") == [
                "file: Anna Ärger/Blau/10 - Zehn.flac", "file: root.flac", "file: Anna Ärger/Blau/01 - Himmel.flac",
                "file: Anna Ärger/Blau/02 - Meer.flac", "OK",
            ])
        #expect(await desk.ask("playlistmove mine 0:2 3") == ["ACK [2@0] {playlistmove} Bad range"])
        #expect(await desk.ask("playlistmove mine 1: 0") == ["ACK [2@0] {playlistmove} Open-ended range not supported"])
        #expect(await desk.ask("playlistdelete mine -1") == ["OK"])
        #expect(await desk.ask("listplaylist mine") == ["OK"])
        try await desk.close()
    }

    @Test("load is remembered by status until clear, and lists stand in the root")
    func loading() async throws {
        let desk = try await Desk()
        _ = await desk.ask("add root.flac")
        _ = await desk.ask("save mine")
        _ = await desk.ask("load mine")
        #expect(await desk.ask("status").contains("lastloadedplaylist: mine"))
        _ = await desk.ask("rm mine")
        #expect(await desk.ask("status").contains("lastloadedplaylist: mine"))
        _ = await desk.ask("clear")
        #expect(await desk.ask("status").contains("lastloadedplaylist: "))
        _ = await desk.ask("playlistadd mine root.flac")
        #expect(await desk.ask("listplaylists").first == "playlist: mine")
        #expect(await desk.ask("lsinfo").contains("playlist: mine"))
        #expect(await desk.ask("lsinfo Bob").contains("playlist: mine") == false)
        _ = await desk.ask("protocol enable HIDE_playlists_in_root")
        #expect(await desk.ask("lsinfo").contains("playlist: mine") == false)
        try await desk.close()
    }
}
