import MPDCommands
import MusicModel
import ServerLoop
import Testing

/// Expectations from MPD v0.24.13 src/command/StickerCommands.cxx and src/sticker; 0.23 knows stickers of songs only.
@Suite("Stickers as of MPD 0.24")
struct StickerCommandTests {
    @Test("Stickers of songs are set, counted, listed and deleted, and only a change is an event")
    func songs() async throws {
        let desk = try await Desk()
        #expect(await desk.ask("sticker set song root.flac rating 7") == ["OK"])
        #expect(await desk.takeEvents() == .sticker)
        #expect(await desk.ask("sticker set song root.flac rating 7") == ["OK"])
        #expect(await desk.takeEvents() == [])
        #expect(await desk.ask("sticker inc song root.flac rating 2") == ["OK"])
        #expect(await desk.ask("sticker dec song root.flac new 2") == ["OK"])
        #expect(await desk.takeEvents() == .sticker)
        #expect(await desk.ask("sticker get song root.flac rating") == ["sticker: rating=9", "OK"])
        #expect(await desk.ask("sticker list song root.flac") == ["sticker: new=2", "sticker: rating=9", "OK"])
        #expect(await desk.ask("sticker set song root.flac empty \"\"") == ["OK"])
        #expect(
            await desk.ask("sticker get song root.flac empty") == [
                "ACK [50@0] {sticker} no such sticker: \"empty\""
            ])
        #expect(await desk.ask("sticker list song root.flac").first == "sticker: empty=")
        #expect(await desk.ask("sticker delete song root.flac empty") == ["OK"])
        #expect(
            await desk.ask("sticker delete song root.flac empty") == [
                "ACK [50@0] {sticker} no such sticker: \"empty\""
            ])
        #expect(await desk.ask("sticker delete song root.flac") == ["OK"])
        #expect(await desk.takeEvents() == .sticker)
        #expect(await desk.ask("sticker delete song root.flac") == ["ACK [50@0] {sticker} no such sticker"])
        #expect(await desk.takeEvents() == [])
        #expect(await desk.ask("sticker list song root.flac") == ["OK"])
        try await desk.close()
    }

    @Test("Wrong requests are refused in MPD's words")
    func refusals() async throws {
        let desk = try await Desk()
        let refusals = [
            ("sticker get song nope n", "50", "No such song"), ("sticker list song Café", "50", "No such song"),
            ("sticker get song root.flac", "2", "bad request"), ("sticker nope song root.flac", "2", "bad request"),
            ("sticker get nope x n", "2", "unknown sticker domain \"nope\""),
            ("sticker set song root.flac \"\" x", "2", "empty sticker name"),
            ("sticker list playlist nope", "2", "no such playlist: \"nope\""),
            ("sticker get Comment x n", "2", "unsupported tag: \"Comment\""),
            ("sticker get album \"No \\\"such\\\"\" n", "2", "no such Album: \"No \\\"such\\\"\""),
            ("sticker list filter \"(artist == 'nobody')\"", "2", "no matches found: \"(Artist == \\\"nobody\\\")\""),
            ("sticker list filter artist", "5", "Incorrect number of filter arguments"),
            ("sticker list filter \"(nope == 'x')\"", "5", "Unknown filter type: nope"),
            ("sticker list filter \"(modified-since 'x')\"", "2", "Failed to parse date"),
            ("sticker find song \"\" n ~ x", "2", "bad operator \"~\""),
            ("sticker find song \"\" n sort size", "2", "Unknown sort tag \"size\""),
            ("sticker find song \"\" n window x", "2", "Integer or range expected: x"),
            ("stickernamestypes album", "2", "no such tag \"album\""),
            ("stickernamestypes Comment", "2", "unsupported tag \"Comment\""),
        ]
        for (request, code, text) in refusals {
            let command = request.prefix { $0 != " " }
            #expect(await desk.ask(request) == ["ACK [\(code)@0] {\(command)} \(text)"], "\(request)")
        }
        try await desk.close()
    }

    @Test("Songs are found by value, in order, below a directory")
    func find() async throws {
        let desk = try await Desk()
        for (uri, value) in [("root.flac", "10"), ("Café/Straße.flac", "9"), ("Anna Ärger/Gelb/01 - Sonne.flac", "2")] {
            #expect(await desk.ask("sticker set song \"\(uri)\" n \(value)") == ["OK"])
        }
        let gelb = "file: Anna Ärger/Gelb/01 - Sonne.flac"
        #expect(await desk.ask("sticker find song \"\" n > 5") == ["file: Café/Straße.flac", "sticker: n=9", "OK"])
        #expect(
            await desk.ask("sticker find song \"\" n gt 5 sort -value_int window 0:1") == [
                "file: root.flac", "sticker: n=10", "OK",
            ])
        #expect(await desk.ask("sticker find song \"\" n sort value window 1:2") == [gelb, "sticker: n=2", "OK"])
        #expect(await desk.ask("sticker find song \"Anna Ärger\" n") == [gelb, "sticker: n=2", "OK"])
        #expect(await desk.ask("sticker find song \"Anna Ärger/\" n") == ["OK"])
        #expect(await desk.ask("sticker find song \"\" n =") == ["OK"])
        #expect(await desk.ask("sticker find song \"\" other") == ["OK"])
        #expect(await desk.ask("sticker find song \"\" n window 2:") == ["file: root.flac", "sticker: n=10", "OK"])
        try await desk.close()
    }

    @Test("Playlists, tag values and filters have stickers, and names are listed with their types")
    func others() async throws {
        let desk = try await Desk()
        _ = await desk.ask("playlistadd mine root.flac")
        #expect(await desk.ask("sticker set playlist mine color red") == ["OK"])
        #expect(await desk.ask("sticker set ALBUM Blau rating 5") == ["OK"])
        #expect(await desk.ask("sticker set albumartist Bob rating 4") == ["OK"])
        let filter = "((artist == 'Anna Ärger') AND (!(title contains \\\"o'\\\")))"
        #expect(await desk.ask("sticker set filter \"\(filter)\" rating 3") == ["OK"])
        #expect(
            await desk.ask("sticker find filter \"\" rating") == [
                "filter: ((Artist == \"Anna Ärger\") AND (Title !contains \"o\\'\"))", "sticker: rating=3", "OK",
            ])
        #expect(await desk.ask("sticker find Album \"b\" rating") == ["Album: Blau", "sticker: rating=5", "OK"])
        #expect(await desk.ask("sticker find AlbumArtist \"\" rating").first == "AlbumArtist: Bob")
        #expect(await desk.ask("sticker find playlist \"\" color").first == "playlist: mine")
        #expect(await desk.ask("stickernames") == ["name: color", "name: rating", "OK"])
        #expect(
            await desk.ask("stickernamestypes") == [
                "name: color", "type: playlist", "name: rating", "type: Album", "name: rating", "type: AlbumArtist",
                "name: rating", "type: filter", "OK",
            ])
        #expect(await desk.ask("stickernamestypes playlist") == ["name: color", "type: playlist", "OK"])
        #expect(await desk.ask("stickernamestypes song") == ["OK"])
        _ = await desk.takeEvents()
        #expect(await desk.ask("rename mine yours") == ["OK"])
        #expect(await desk.takeEvents() == .storedPlaylist)
        #expect(await desk.ask("sticker find playlist \"\" color").first == "playlist: mine")
        _ = await desk.ask("rename yours mine")
        #expect(await desk.ask("rm mine") == ["OK"])
        #expect(await desk.takeEvents() == [.storedPlaylist, .sticker])
        #expect(await desk.ask("sticker find playlist \"\" color") == ["OK"])
        try await desk.close()
    }

    @Test("The types are those of MPD, of the tags those that the client wants to see")
    func types() async throws {
        let desk = try await Desk()
        let all = await desk.ask("stickertypes").dropLast().map { String($0.dropFirst("stickertype: ".count)) }
        #expect(
            all == [
                "filter", "playlist", "song", "Artist", "Album", "AlbumArtist", "Title", "Genre", "Composer",
                "Performer", "Conductor", "Work", "Ensemble", "Location", "Label", "MUSICBRAINZ_ARTISTID",
                "MUSICBRAINZ_ALBUMID", "MUSICBRAINZ_ALBUMARTISTID", "MUSICBRAINZ_RELEASETRACKID",
                "MUSICBRAINZ_WORKID",
            ])
        _ = await desk.ask("tagtypes reset album")
        #expect(await desk.ask("stickertypes").count == 5)
        try await desk.close()
    }
}
