import MPDProtocol
import MusicModel
import NIOCore
import ServerLoop
import Testing
import UserLibrary

@testable import MPDCommands

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

    @Test("Without diacritics, searches find letters with them, and nothing else changes")
    func diacritics() async throws {
        let desk = try await Desk()
        func count(_ request: String) async -> Int {
            await desk.ask(request).count { $0.hasPrefix("file: ") || $0.hasPrefix("Pos: ") }
        }
        #expect(await count("search artist arger") == 0)
        #expect(await desk.ask("stringnormalization all") == ["OK"])
        let sorted = await count("search artist ärger")
        #expect(sorted > 0)
        let requests = [
            "search artist arger", "search artist ARGER", "search \"(artist == 'anna arger')\"",
            "search \"(artist starts_with 'anna a')\"", "search any arger", "search \"(any contains 'arger')\"",
            "search file cafe",
        ]
        for plain in requests {
            let accented = plain.replacing("arger", with: "a\u{308}rger").replacing("cafe", with: "café")
            let (first, second) = (await count(plain), await count(accented))
            #expect(first == second && first > 0, "\(plain)")
        }
        #expect(await desk.ask("searchcount artist arger").first == "songs: \(sorted)")
        #expect(await count("find artist \"Anna Arger\"") == 0)
        #expect(await count("search \"(artist contains_cs 'Arger')\"") == 0)
        #expect(await count("search \"(artist =~ 'arger')\"") == 0)
        _ = await desk.ask("searchadd artist arger")
        #expect(await count("playlistsearch artist arger") == 2 * sorted)
        #expect(await desk.ask("stringnormalization clear") == ["OK"])
        #expect(await count("search artist arger") == 0)
        try await desk.close()
    }

    @Test("list shows a part of the values, or of the outermost group's")
    func listWindow() async throws {
        let desk = try await Desk()
        let all = await desk.ask("list title").dropLast()
        #expect(all.count > 2)
        #expect(await desk.ask("list title window 1:3") == Array(all[1..<3]) + ["OK"])
        #expect(await desk.ask("list title window \(all.count):") == ["OK"])
        let groups = await desk.ask("list title group artist").filter { $0.hasPrefix("Artist: ") }
        let part = await desk.ask("list title group artist window 1:2")
        #expect(part.filter { $0.hasPrefix("Artist: ") } == [groups[1]])
        #expect(part.count > 2)
        #expect(await desk.ask("list title window x") == ["ACK [2@0] {list} Integer or range expected: x"])
        try await desk.close()
    }

    @Test("A local client may name its files, and only those of the library are found")
    func localFiles() async throws {
        let desk = try await Desk(isLocal: true)
        await desk.reassemble { _, facts in facts.musicDirectory = "/srv/music" }
        #expect(await desk.ask("add \"/srv/music/Café/Straße.flac\"") == ["OK"])
        #expect(await desk.ask("addid \"file:///srv/music/root.flac\"") == ["Id: 2", "OK"])
        #expect(await desk.ask("add \"/etc/passwd\"") == ["ACK [50@0] {add} No such song"])
        #expect(await desk.ask("add \"file://etc\"") == ["ACK [2@0] {add} Malformed file:// URI"])
        #expect(await desk.ask("config") == ["music_directory: /srv/music", "pcre: 1", "OK"])
        #expect(await desk.ask("urlhandlers").first == "handler: file://")
        try await desk.close()
    }
}

/// One song in a file outside of the library, for its owner.
private final class OneOutsideSong: OutsideSongReading {
    func song(file path: String, for user: UInt32?) async throws -> Song {
        guard path == "/home/me/Tune.flac" else { throw AckError(.noExist, "No such song") }
        return Song(uri: path, tags: [TagValue(.title, "Tune")], duration: .seconds(61))
    }

    func picture(file path: String, for user: UInt32?) async throws -> (bytes: [UInt8], mimeType: String?)? {
        ([1, 2, 3], "image/png")
    }

    func allow(path: String, for user: UInt32?) async throws {}

    func cueSheet(file path: String) async throws -> CueSheet? { nil }
}

@Suite("Songs outside of the library")
struct OutsideSongTests {
    private static let block = ["file: /home/me/Tune.flac", "Title: Tune", "Time: 61", "duration: 61.000"]

    @Test("A local client adds, lists, saves and looks into them by path or by address")
    func local() async throws {
        let desk = try await Desk(isLocal: true)
        await desk.reassemble { parts, _ in parts.outsideSongs = OneOutsideSong() }
        #expect(await desk.ask("lsinfo /home/me/Tune.flac") == Self.block + ["OK"])
        #expect(await desk.ask("addid file:///home/me/Tune.flac") == ["Id: 1", "OK"])
        #expect(await desk.ask("add /home/me/Tune.flac") == ["OK"])
        #expect(
            await desk.ask("playlistinfo")
                == Self.block + ["Pos: 0", "Id: 1"] + Self.block + ["Pos: 1", "Id: 2", "OK"])
        #expect(await desk.ask("readcomments /home/me/Tune.flac") == ["Title: Tune", "OK"])
        #expect(
            await desk.ask("readpicture /home/me/Tune.flac 0").prefix(3) == ["size: 3", "type: image/png", "binary: 3"])
        #expect(await desk.ask("playlistadd Mine /home/me/Tune.flac") == ["OK"])
        #expect(await desk.ask("listplaylist Mine") == ["file: /home/me/Tune.flac", "OK"])
        for path in ["/home/me/../you/Tune.flac", "/home/me/", "/home//me", "/home/me/other"] {
            #expect(await desk.ask("add \"\(path)\"") == ["ACK [50@0] {add} No such song"], "\(path)")
        }
        #expect(await desk.ask("load /home/me/Tune.flac") == ["ACK [50@0] {load} No such playlist"])
        #expect(await desk.ask("albumart /home/me/Tune.flac 0") == ["ACK [50@0] {albumart} No file exists"])
        try await desk.close()
    }

    @Test("Clients of the network are refused, whatever there is")
    func remote() async throws {
        let desk = try await Desk()
        await desk.reassemble { parts, _ in parts.outsideSongs = OneOutsideSong() }
        for request in ["add", "addid", "lsinfo", "readcomments", "readpicture", "load", "listfiles"] {
            let more = request == "readpicture" ? " 0" : ""
            #expect(
                await desk.ask("\(request) /home/me/Tune.flac\(more)") == [
                    "ACK [4@0] {\(request)} Access to local files via TCP is not allowed"
                ])
        }
        #expect(
            await desk.ask("playlistadd Mine /home/me/Tune.flac") == ["ACK [50@0] {playlistadd} No such directory"])
        try await desk.close()
    }
}

/// A picture per folder and a fingerprint per song, which only these tests know.
@Suite("Covers of local folders, fingerprints and the odd filter")
struct DatabaseDetailTests {
    private final class LocalCovers: PictureProviding {
        func albumArt(for uri: String) async throws -> FoundCover? { nil }

        func cover(inFolder path: String) async throws -> FoundCover? {
            path == "/srv/music/Anna Ärger" ? ([1, 2, 3], nil, path + "/cover.png") : nil
        }

        func picture(of uri: String) async throws -> (bytes: [UInt8], mimeType: String?)? { nil }
    }

    private final class Numbers: Fingerprinting {
        func fingerprint(of song: SongID) async throws -> String { "AQAA\(song)" }
    }

    @Test("A local folder's cover is found by the folder, with and without a slash, and by whatever is named in it")
    func covers() async throws {
        let desk = try await Desk()
        let context = await ServerActor.run {
            var facts = ServerFacts()
            facts.musicDirectory = "/srv/music"
            return ServerContext(
                ServerParts(library: desk.context.library, updating: desk.updating, pictures: LocalCovers()),
                facts: facts, partitions: [desk.client.partition], clients: desk.clients)
        }
        func ask(_ uri: String) async throws -> ByteBuffer {
            var response = ResponseWriter(sink: Nowhere())
            do {
                try await Command.albumArt.action([uri, "0"], permission: .read)
                    .run(in: CommandContext(server: context, client: desk.newClient()), response: &response)
            } catch let error as AckError {
                #expect(error == AckError(.noExist, "No file exists"))
            }
            return response.buffer
        }
        for uri in ["Anna Ärger/", "Anna Ärger", "Anna Ärger/nothing.mp3", "Anna Ärger/Blau"] {
            let answer = String(buffer: try await ask(uri))
            #expect(answer.hasPrefix("file: Anna Ärger/cover.png\nsize: 3\nbinary: 3\n"), "\(uri): \(answer)")
        }
        for uri in ["Bob", "Bob/", "root.flac"] { #expect(try await ask(uri).readableBytes == 0, "\(uri)") }
        try await desk.close()
    }

    private final class Nowhere: ResponseSink {
        func send(_ bytes: ByteBuffer) async throws {}
    }

    @Test("getfingerprint is there when the system can compute one")
    func fingerprints() async throws {
        let desk = try await Desk()
        #expect(await desk.ask("commands").contains("command: getfingerprint") == false)
        #expect(
            await desk.ask("getfingerprint root.flac") == [
                "ACK [5@0] {getfingerprint} unknown command \"getfingerprint\""
            ])
        let numbers = Numbers()
        await desk.reassemble { parts, _ in parts.fingerprints = numbers }
        #expect(await desk.ask("commands").contains("command: getfingerprint"))
        #expect(await desk.ask("getfingerprint root.flac").first?.hasPrefix("chromaprint: AQAA") == true)
        #expect(
            await desk.ask("getfingerprint nope") == [
                "ACK [52@0] {getfingerprint} Failed to open \"nope\": No such file or directory"
            ])
        try await desk.close()
    }

    @Test("A base of a slash is the root that holds nothing, and a word behind AND is reported as MPD does")
    func filters() async throws {
        let desk = try await Desk()
        #expect(await desk.ask("find \"(base '/')\"") == ["OK"])
        #expect(await desk.ask("count \"(base '/')\"") == ["songs: 0", "playtime: 0", "OK"])
        for (rest, message) in [("x)", "Word expected"), ("xyz)", "Unknown filter type: yz"), (")", "Word expected")] {
            #expect(
                await desk.ask("find \"((artist == 'Bob') AND \(rest)\"") == ["ACK [2@0] {find} \(message)"], "\(rest)")
        }
        try await desk.close()
    }

    @Test("The queue is searched in the same order whether or not a stream is in it")
    func queue() async throws {
        let desk = try await Desk()
        _ = await desk.ask("add \"\"")
        _ = await desk.ask("prio 5 2")
        _ = await desk.ask("prio 9 4")
        _ = await desk.ask("tagtypes clear")
        let requests = [
            "playlistfind \"(base '')\" sort Title", "playlistfind \"(base '')\" sort -Track",
            "playlistfind \"(base '')\" sort AlbumArtistSort", "playlistfind \"(base '')\" sort TitleSort",
            "playlistsearch any e sort -Last-Modified window 1:3", "playlistfind \"(prio >= 5)\"",
            "playlistfind \"(!(prio >= 6))\" sort prio", "playlistfind \"(base '')\" sort -prio",
            "playlistfind \"((prio >= 1) AND (artist == 'Anna Ärger'))\"", "playlistsearch artist bob window 1:",
        ]
        var answers: [[String]] = []
        for request in requests { answers.append(await desk.ask(request)) }
        _ = await desk.ask("add \"http://example.org/\"")
        for (request, answer) in zip(requests, answers) {
            let again = await desk.ask(request)
            let stream = again.firstIndex(of: "file: http://example.org/")
            var rest = again
            if let stream {
                let id = rest[stream...].firstIndex { $0.hasPrefix("Id: ") } ?? stream
                rest.removeSubrange(stream...id)
            }
            #expect(rest == answer, "\(request)")
        }
        #expect(answers[7].filter { $0.hasPrefix("Prio: ") } == ["Prio: 9", "Prio: 5"])
        try await desk.close()
    }
}
