import MusicModel
import Testing

@testable import Playback

@Suite("Streams in the queue")
struct StreamTests {
    private static func station(_ name: String) -> QueueCandidate {
        QueueCandidate(.stream(url: "http://host/\(name)", tags: [TagValue(.name, name)]))
    }

    private func machine(_ names: String...) throws -> PlayerStateMachine {
        var machine = PlayerStateMachine(seed: 1)
        let songs = names.map { $0 == "-" ? QueueCandidate(.song(SongID(rawValue: 1))) : Self.station($0) }
        _ = try machine.insert(songs, at: nil)
        return machine
    }

    @Test("the neighbours of the station that plays are those that next and previous lead to")
    func neighbours() throws {
        var machine = try machine("a", "b", "c", "d")
        #expect(machine.neighbouringStreams == [])
        try machine.play(position: 1)
        #expect(machine.neighbouringStreams == ["http://host/c", "http://host/a"])
        try machine.play(position: 3)
        #expect(machine.neighbouringStreams == ["http://host/c"])
        machine.setRepeat(true)
        #expect(machine.neighbouringStreams == ["http://host/a", "http://host/c"])
        machine.setSingle(.on)
        #expect(machine.neighbouringStreams.contains("http://host/c"))
        machine.pause(true)
        #expect(machine.neighbouringStreams == [])
    }

    @Test("with random order the neighbours are those of the order")
    func random() throws {
        var machine = try machine("a", "b", "c", "d", "e")
        machine.setRandom(true)
        try machine.play(position: nil)
        let next = try #require(machine.neighbouringStreams.first)
        try machine.next()
        guard case .stream(let url, _) = machine.currentEntry?.item else {
            Issue.record("no stream is current")
            return
        }
        #expect(url == next)
        #expect(machine.neighbouringStreams.count == 2)
    }

    @Test("a station that sounds can't be sought in, but for its beginning; an episode can")
    func seeks() throws {
        var machine = try machine("a", "b")
        try machine.play(position: 0)
        let play = try #require(machine.loaded?.number)
        let format = AudioFormat(sampleRate: 44100, sample: .integer(bits: 16), channels: 2)
        // Nothing is known of it yet.
        try machine.seekCurrent(to: .seconds(5))
        machine.handle(.info(play: play, format: format, duration: nil, bitRate: 128))
        #expect(throws: PlayerError(.notSeekable)) { try machine.seekCurrent(to: .seconds(5)) }
        #expect(throws: PlayerError(.notSeekable)) { try machine.seek(position: 0, to: .seconds(5)) }
        try machine.seekCurrent(to: .zero)
        try machine.seek(position: 1, to: .seconds(5))
        let other = try #require(machine.loaded?.number)
        machine.handle(.info(play: other, format: format, duration: .seconds(60), bitRate: 128))
        try machine.seekCurrent(to: .seconds(5))
    }

    @Test(
        "the address of a stream names its gain",
        arguments: [
            ("http://host/a#gain=-3.5", -3.5), ("http://host/a#charset=cp1251&gain=+2", 2),
            ("http://host/a#gain=-3.5 dB", -3.5), ("http://host/a?gain=3", nil), ("http://host/a#gain=", nil),
            ("http://host/a#gain=nan", nil), ("http://host/a#gain=999", nil),
            ("http://host/a#again=3", nil), ("http://host/a#gain=--3", nil),
        ])
    func gains(url: String, gain: Double?) {
        #expect(ReplayGain(ofStream: url) == gain.map { ReplayGain(trackGain: $0, albumGain: $0) })
    }

    @Test("songs have stations for neighbours, and are none")
    func songs() throws {
        var machine = try machine("a", "-", "b", "a", "-", "-")
        try machine.play(position: 1)
        #expect(machine.neighbouringStreams == ["http://host/b", "http://host/a"])
        try machine.play(position: 5)
        #expect(machine.neighbouringStreams == [])
        try machine.play(position: 4)
        #expect(machine.neighbouringStreams == ["http://host/a"])
        machine.pause(true)
        #expect(machine.neighbouringStreams == [])
        try machine.play(position: 2)
        #expect(machine.neighbouringStreams == ["http://host/a"])
    }

    @Test("an interruption is an error until the stream sounds again")
    func interruption() throws {
        var machine = try machine("a", "b")
        try machine.play(position: 0)
        let play = try #require(machine.loaded?.number)
        func changes(_ play: UInt64, _ message: String?) -> Subsystem {
            machine.step(canBeHeard: true) { $0.handle(.interrupted(play: play, message: message)) }.changes
        }
        _ = changes(play + 7, nil)
        #expect(changes(play, "gone") == .player)
        #expect(machine.error == "a: gone")
        #expect(changes(play, "gone") == [])
        #expect(changes(play + 7, nil) == [] && machine.error == "a: gone")
        #expect(changes(play, nil) == .player && machine.error == nil)
        machine.handle(.interrupted(play: play, message: "gone again"))
        try machine.next()
        #expect(machine.error == nil)
    }

    @Test("a station that is skipped leaves its error, which its successor's sound doesn't clear")
    func skipped() throws {
        var machine = try machine("a", "b")
        try machine.play(position: 0)
        let play = try #require(machine.loaded?.number)
        machine.handle(.interrupted(play: play, message: "trying again"))
        machine.handle(.failed(play: play, message: "no sound"))
        #expect(machine.error == "a: no sound")
        let second = try #require(machine.loaded?.number)
        machine.handle(.started(play: second))
        machine.handle(.interrupted(play: second, message: nil))
        #expect(machine.error == "a: no sound")
        machine.handle(.failed(play: second, message: "no sound"))
        #expect(machine.transport == .stop)
    }
}
