import MPDCommands
import MusicModel
import ServerLoop
import Testing

@Suite("The database as of MPD 0.24")
struct DatabaseTests {
    @Test("searchcount folds case, count does not")
    func counting() async throws {
        let desk = try await Desk()
        #expect(await desk.ask("searchcount artist BOB") == ["songs: 2", "playtime: 22", "OK"])
        #expect(await desk.ask("count artist BOB") == ["songs: 0", "playtime: 0", "OK"])
        #expect(
            await desk.ask("searchcount artist bob group genre") == [
                "Genre: Jazz", "songs: 1", "playtime: 12", "Genre: Pop", "songs: 1", "playtime: 10", "OK",
            ])
        try await desk.close()
    }

    @Test("readcomments shows every tag, whatever tagtypes says")
    func comments() async throws {
        let desk = try await Desk()
        _ = await desk.ask("tagtypes clear")
        #expect(await desk.ask("readcomments root.flac") == ["Artist: Anna Ärger", "Title: Root", "Date: 1998", "OK"])
        #expect(await desk.ask("readcomments \"http://example.org/\"") == ["OK"])
        try await desk.close()
    }

    @Test("listfiles names what is in a folder, without the folder")
    func files() async throws {
        let desk = try await Desk()
        let names = await desk.ask("listfiles \"Anna Ärger\"").filter { !$0.hasPrefix("Last-Modified") }
        #expect(names == ["directory: Blau", "directory: Gelb", "OK"])
        #expect(await desk.ask("listfiles \"smb://x\"") == ["ACK [2@0] {listfiles} Unsupported URI scheme"])
        #expect(await desk.ask("listfiles Café").prefix(2) == ["file: Straße.flac", "size: 1000"])
        try await desk.close()
    }

    @Test("Filters of 0.24 work on the wire")
    func filters() async throws {
        let desk = try await Desk()
        _ = await desk.ask("tagtypes reset title")
        func titles(_ request: String) async -> [String] {
            await desk.ask(request).filter { $0.hasPrefix("Title: ") }.map { String($0.dropFirst(7)) }
        }
        #expect(await titles("find \"(Title starts_with 'H')\"") == ["Himmel"])
        #expect(await titles("search \"(Title starts_with_cs 'h')\"") == [])
        #expect(await titles("search \"(Title !contains 'e')\" sort Title") == ["It's", "Root"])
        #expect(await desk.ask("find \"(added-since '2020-01-01')\"") == ["OK"])
        #expect(await desk.ask("find \"(base 'nope')\"") == ["ACK [50@0] {find} No such directory"])
        #expect(await titles("find \"((base 'Anna Ärger/Gelb') AND (Artist == 'Anna Ärger'))\"") == ["Sonne"])
        try await desk.close()
    }

    @Test("A local client may name its files, and only those of the library are found")
    func localFiles() async throws {
        let desk = try await Desk(isLocal: true)
        await ServerActor.run { desk.context.musicDirectory = "/srv/music" }
        #expect(await desk.ask("add \"/srv/music/Café/Straße.flac\"") == ["OK"])
        #expect(await desk.ask("addid \"file:///srv/music/root.flac\"") == ["Id: 2", "OK"])
        #expect(await desk.ask("add \"/etc/passwd\"") == ["ACK [50@0] {add} No such file"])
        #expect(await desk.ask("add \"file://etc\"") == ["ACK [2@0] {add} Malformed file:// URI"])
        #expect(await desk.ask("config") == ["music_directory: /srv/music", "pcre: 1", "OK"])
        #expect(await desk.ask("urlhandlers").first == "handler: file://")
        try await desk.close()
    }
}
