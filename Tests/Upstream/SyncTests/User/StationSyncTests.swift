@testable import Sync
import MusicModel
import Subsonic
import SyncBench
import Testing
import TestSupport
import UserLibrary

@Suite("The server's radio stations")
struct StationSyncTests {
    @Test("they come, change and go with a sync, and clients hear of it")
    func follows() async throws {
        let bench = try await ServerBench(songs: 10)
        bench.server.stations = [
            FakeStation(id: "1", name: "Nova\nTwo", streamURL: " http://host/nova "),
            FakeStation(id: "2", name: "", streamURL: "https://host/noname"),
            FakeStation(id: "3", name: "Old", streamURL: "mms://host/old"),
        ]
        _ = try await bench.sync.syncOnce()
        let stations = try await bench.library.stations()
        #expect(stations.map(\.url) == ["http://host/nova", "https://host/noname"])
        #expect(stations.first?.name.contains("\n") == false && stations.first?.name.hasPrefix("Nova") == true)
        #expect(stations.last?.name == "Radio 2")
        bench.recorder.reset()
        _ = try await bench.sync.syncOnce()
        #expect(!bench.recorder.now.subsystems.contains { $0.contains(.storedPlaylist) })
        bench.server.stations = []
        _ = try await bench.sync.syncOnce()
        #expect(bench.recorder.now.subsystems.contains { $0.contains(.storedPlaylist) })
        #expect(try await bench.library.stations().isEmpty)
    }

    @Test("an answer that is no list of stations takes none away")
    func faults() async throws {
        let bench = try await ServerBench(songs: 3)
        bench.server.stations = [FakeStation(id: "1", name: "Nova", streamURL: "http://host/nova")]
        let exchange = StationExchange(client: bench.client, library: bench.library, mount: "")
        #expect(try await exchange.run())
        try await bench.server.setFaults(FakeFault(.internalError))
        await #expect(throws: SubsonicError.self) { _ = try await exchange.run() }
        try await bench.server.setFaults(FakeFault(.status(404)))
        #expect(try await !exchange.run())
        #expect(try await bench.library.stations().map(\.name) == ["Nova"])
        await bench.stop()
    }
}
