@testable import Sync
import MusicModel
import Testing

@Suite("What a sync reports to the server")
struct SyncEventsTests {
    @Test("reports are kept in their order until they are looked at")
    func order() async {
        let events = SyncEvents()
        let song = SongID(rawValue: 7)
        events.observer.report(.connectionChanged(.connected, "well"))
        events.observer.report(.songsChanged(updated: [song], removed: []))
        events.observer.progress(1, 2)
        events.observer.subsystemsChanged([.database, .storedPlaylist])
        var heard: [SyncEvent] = []
        for await event in events.stream {
            heard.append(event)
            if heard.count == 3 { break }
        }
        #expect(
            heard == [
                .connectionChanged(.connected, "well"), .songsChanged(updated: [song], removed: []),
                .subsystemsChanged([.database, .storedPlaylist]),
            ])
    }
}
