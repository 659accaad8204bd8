import LibraryIndex
import MusicModel
import Testing
import UserLibrary

@Suite("Radio stations")
struct StationTests {
    private func stations(_ names: String...) -> [Station] { names.map { Station(name: $0, url: "http://host/\($0)") } }

    @Test("stations of both sources are one playlist, the configuration's first, each address once")
    func playlist() async throws {
        // The library goes with its folder.
        let folder = try TestLibrary()
        defer { withExtendedLifetime(folder) {} }
        let library = folder.library
        library.virtualPlaylists.add(.radio)
        #expect(try await library.storedPlaylists().isEmpty)
        #expect(try await library.replaceStations(stations("c", "b"), from: .server(mount: "")))
        #expect(try await library.replaceStations(stations("a", "b"), from: .configuration))
        let listed = try #require(try await library.storedPlaylists().first)
        #expect(listed.name == "[Radio]" && listed.isReadOnly && listed.lastModified > 0)
        let items = try await library.storedPlaylist("[Radio]")
        let expected = ["a", "b", "c"].map { name in
            QueueItem.stream(url: "http://host/\(name)", tags: [TagValue(.name, name), TagValue(.title, name)])
        }
        #expect(items == expected)
        await #expect(throws: LibraryError.self) { try await library.clearStoredPlaylist("[Radio]") }
    }

    @Test("what a page shows of a station is kept with it, and a change of that is one")
    func details() async throws {
        let folder = try TestLibrary()
        defer { withExtendedLifetime(folder) {} }
        let library = folder.library
        var station = Station(
            name: "a", url: "http://host/a", picture: .file("/a b.png"), country: "France", genre: "Jazz",
            homepage: "https://a")
        #expect(try await library.replaceStations([station], from: .configuration))
        #expect(try await library.stations() == [station])
        for picture in [StationPicture.address("https://a/logo.png?x=1"), .cover("ra-1_5"), nil] {
            station.picture = picture
            #expect(try await library.replaceStations([station], from: .configuration))
            #expect(try await !library.replaceStations([station], from: .configuration))
            #expect(try await library.stations() == [station])
        }
    }

    @Test("only a real change counts, and stations of servers that went go")
    func changes() async throws {
        // The library goes with its folder.
        let folder = try TestLibrary()
        defer { withExtendedLifetime(folder) {} }
        let library = folder.library
        #expect(try await library.replaceStations(stations("a"), from: .configuration))
        #expect(try await !library.replaceStations(stations("a"), from: .configuration))
        #expect(try await library.replaceStations(stations("x"), from: .server(mount: "old")))
        try await library.removeStations(besides: [.configuration, .server(mount: "new")])
        #expect(try await library.stations() == stations("a"))
        #expect(try await library.replaceStations([], from: .configuration))
        library.virtualPlaylists.add(.radio)
        #expect(try await library.storedPlaylists().isEmpty)
    }
}
