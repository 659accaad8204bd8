import Foundation
import MusicModel
import TestSupport
import Testing

@testable import HomeAutomation
@testable import Players

@Suite("A player at a home's broker", .enabled(if: testsEverything))
struct HomeDeviceTests {
    private static func device(_ partition: String = "default", discovery: String = "homeassistant") -> HomeDevice {
        HomeDevice(
            settings: BrokerSettings(host: "", topic: "segue", discovery: discovery), partition: partition,
            version: "1.0")
    }

    private static func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("The state has what plays, in JSON that is the same for the same state")
    func state() throws {
        var state = MediaPlayerState.empty
        state.transport = .play
        state.song = MediaSong(
            entry: 1, uri: "a/b.flac", length: .seconds(200),
            tags: [TagValue(.title, "A \"lamp\"\n"), TagValue(.artist, "Ann"), TagValue(.artist, "Bob")], rating: 8)
        let found = try Self.object(HomeDevice.state(state))
        #expect(found["state"] as? String == "playing")
        #expect(found["title"] as? String == "A \"lamp\"\n")
        #expect(found["artist"] as? String == "Ann, Bob")
        #expect(found["duration"] as? Double == 200)
        #expect(found["rating"] as? Double == 8)
        #expect(HomeDevice.state(state) == HomeDevice.state(state))
    }

    @Test("Every entity has a topic, a name and an id of its own, and belongs to the partition's device")
    func announcements() throws {
        let found = Self.device().announcements(playlists: ["Evening", "Ümläut"])
        #expect(Set(found.map(\.topic)).count == found.count)
        let objects = try found.map { try Self.object($0.text) }
        #expect(Set(objects.compactMap { $0["unique_id"] as? String }).count == found.count)
        #expect(objects.allSatisfy { $0["availability_topic"] as? String == "segue/availability" })
        let select = try #require(objects.first { $0["options"] != nil })
        #expect(select["options"] as? [String] == ["Evening", "Ümläut"])
        #expect(Self.device(discovery: "").announcements(playlists: []).isEmpty)
    }

    @Test("Names can't reach other topics", arguments: ["a/b", "#", "+", "kitchen 2", ""])
    func topics(name: String) {
        let device = Self.device(name)
        #expect(!device.base.dropFirst("segue/".count).contains { "/+# ".contains($0) })
    }

    @Test(
        "Messages are commands where they mean something",
        arguments: [
            ("player", "play", MediaCommand.play), ("player", "NEXT", .next), ("volume", "40", .setVolume(40)),
            ("volume", "1e9", .setVolume(100)), ("volume", "-3", .setVolume(0)), ("volume", "nan", nil),
            ("volume", "", nil), ("player", "explode", nil), ("random", "ON", .setRandom(true)), ("other", "play", nil),
        ] as [(String, String, MediaCommand?)])
    func commands(key: String, text: String, command: MediaCommand?) {
        #expect(HomeControls.command(key, text) == command)
    }
}
