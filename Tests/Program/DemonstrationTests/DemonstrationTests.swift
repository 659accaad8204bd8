import Foundation
import LibraryIndex
import LibrarySamples
import Logging
import MusicModel
import Outputs
import SegueConfiguration
import Testing
import UserLibrary

@testable import Demonstration

@Suite("The demonstration")
struct DemonstrationTests {
    @Test("it has two rooms with volumes, one for browsers, and stations that can be reached")
    func house() throws {
        let house = try DemoHouse()
        defer { house.stations.forEach { $0.stop() } }
        var configuration = try Configuration.demo(environment: ["HOME": "/home/me"])
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("house-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try house.furnish(&configuration, picturesIn: folder.path)
        for station in configuration.stations {
            guard case .file(let path) = station.picture else {
                Issue.record("a station without a picture")
                continue
            }
            let picture = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) && station.genre != nil)
        }
        #expect(configuration.outputs.map(\.name) == ["Living room", "Kitchen"])
        #expect(configuration.outputs.allSatisfy { $0.mixerType == .software && $0.isEnabled })
        #expect(configuration.outputs[1].httpd.address == "127.0.0.1" && configuration.outputs[1].httpd.port > 0)
        #expect(configuration.stations.map(\.name) == ["Radio Harbour", "Meadow FM"])
        #expect(configuration.stations.map(\.url) == house.stations.map(\.url))
    }

    @Test("a taken port is left alone")
    func ports() throws {
        let station = try DemoStation(.meadow, log: Logger(label: "test"))
        defer { station.stop() }
        let taken = try #require(station.url.split(separator: ":").last.flatMap { Int($0.dropLast()) })
        #expect(DemoHouse.freePort(taken) != taken)
    }

    @Test("playlists are made once their songs are there")
    func playlists() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let library = try Library(path: folder.appendingPathComponent("segue.db").path)
        defer {
            try? library.close()
            try? FileManager.default.removeItem(at: folder)
        }
        let playlists = DemoPlaylists(library)
        #expect(try await !playlists.make())
        let songs = ["Evening Star", "Sleeper", "Good Night", "Ferry"].map { song("\($0).flac", (.title, $0)) }
        _ = try await library.index.apply(LibraryChanges(mount: "", upserts: songs))
        #expect(try await playlists.make())
        #expect(try await library.storedPlaylists().map(\.name) == ["Lights out"])
        #expect(try await library.storedPlaylist("Lights out").count == 3)
        #expect(try await !playlists.make())
    }
}
