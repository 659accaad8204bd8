import MPDCommands
import ServerLoop
import Testing

@Suite("Pictures")
struct PictureTests {
    private let song = "\"Anna Ärger/Blau/01 - Himmel.flac\""

    @Test("All chunks of a transfer come from the same bytes, though the picture changes meanwhile")
    func pinned() async throws {
        let desk = try await Desk()
        desk.pictures.setChanges()
        _ = await desk.ask("binarylimit 200")
        let first = await desk.ask("albumart \(song) 0")
        let second = await desk.ask("albumart \(song) 200")
        let third = await desk.ask("albumart \(song) 400")
        #expect(first.first == "size: 512" && second.first == "size: 512" && third[1] == "binary: 112")
        #expect(first[2].hasPrefix("0102") && second[2].hasPrefix("c9ca") && third[2].hasPrefix("9192"))
        #expect(await desk.ask("albumart \(song) 512") == ["size: 512", "binary: 0", "", "OK"])
        #expect(desk.pictures.fetches == 1)
        #expect(await desk.ask("albumart \(song) 0")[2].hasPrefix("0203"), "a new transfer sees the new picture")
        try await desk.close()
    }

    @Test("A folder's own URI is taken, with and without a slash")
    func folders() async throws {
        let desk = try await Desk()
        for uri in ["Anna Ärger/Blau/", "Anna Ärger/Blau", "Anna Ärger/Blau/gone.flac"] {
            #expect(await desk.ask("albumart \"\(uri)\" 510") == ["size: 512", "binary: 2", "feff", "OK"])
        }
        #expect(await desk.ask("albumart \"Bob/\" 0") == ["ACK [50@0] {albumart} No file exists"])
        #expect(await desk.ask("albumart \"Bob//\" 0") == ["ACK [2@0] {albumart} Bad relative path"])
        #expect(await desk.ask("albumart \"http://example.org/a\" 0") == ["ACK [50@0] {albumart} No file exists"])
        try await desk.close()
    }

    @Test("readpicture tells the type, and is silent without a picture")
    func types() async throws {
        let desk = try await Desk()
        _ = await desk.ask("binarylimit 64")
        let answer = await desk.ask("readpicture \"Café/Straße.flac\" 0")
        #expect(answer.prefix(3) == ["size: 512", "type: image/jpeg", "binary: 64"])
        #expect(
            await desk.ask("readpicture \"Café/Straße.flac\" 512") == [
                "size: 512", "type: image/jpeg", "binary: 0", "", "OK",
            ])
        #expect(await desk.ask("readpicture \"Café/Straße.flac\" 513") == ["ACK [2@0] {readpicture} Bad file offset"])
        #expect(await desk.ask("readpicture root.flac 0") == ["OK"])
        #expect(await desk.ask("readpicture \"http://example.org/a\" 0") == ["OK"])
        try await desk.close()
    }

    @Test("albumart and readpicture of one song don't take each other's bytes")
    func apart() async throws {
        let desk = try await Desk()
        _ = await desk.ask("binarylimit 64")
        _ = await desk.ask("readpicture \"Café/Straße.flac\" 0")
        #expect(await desk.ask("albumart \"Café/Straße.flac\" 64") == ["ACK [50@0] {albumart} No file exists"])
        try await desk.close()
    }
}
