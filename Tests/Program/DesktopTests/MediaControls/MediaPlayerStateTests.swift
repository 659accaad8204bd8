@testable import Desktop
import InProcessServer
import MusicModel
import Playback
import ServerLoop
import TestSupport
import Testing
@testable import Players

@Suite("What the desktop sees", .enabled(if: testsEverything))
struct MediaPlayerStateTests {
    private static func playing(
        _ song: MediaSong?, elapsed: Duration = .zero, moment: ContinuousClock.Instant = .now
    ) -> MediaPlayerState {
        MediaPlayerState(
            transport: .play, isRepeating: false, isSingle: false, isRandom: false, volume: 50, song: song,
            hasNext: true, hasSongs: true, elapsed: elapsed, moment: moment)
    }

    private static let song = MediaSong(
        entry: 7, uri: "Ann/Songs/01.flac", url: "file:///music/Ann/Songs/01.flac", length: .seconds(200),
        tags: [
            TagValue(.title, "Lamp"), TagValue(.artist, "Ann"), TagValue(.artist, "Bob"), TagValue(.track, "3/12"),
            TagValue(.date, "1999-05-01"), TagValue(.genre, ""),
        ], rating: 8, picture: "/run/user/1000/segue/cover")

    @Test("A song is described in the words of MPRIS, and what is unknown is left out")
    func metadata() {
        #expect(
            Self.song.metadata == [
                "mpris:trackid": .path("/org/segue/queue/7"), "mpris:length": .int64(200_000_000),
                "mpris:artUrl": .text("file:///run/user/1000/segue/cover"),
                "xesam:url": .text("file:///music/Ann/Songs/01.flac"), "xesam:title": .text("Lamp"),
                "xesam:artist": .texts(["Ann", "Bob"]), "xesam:trackNumber": .int32(3),
                "xesam:contentCreated": .text("1999-05-01"), "xesam:userRating": .double(0.8),
            ])
    }

    @Test(
        "A song without a title has its file's name, a station its own",
        arguments: [
            ([], "01.flac"), ([TagValue(.name, "Radio Nord")], "Radio Nord"),
        ])
    func title(tags: [TagValue], title: String) {
        #expect(MediaSong(entry: 1, uri: "a/01.flac", tags: tags).metadata["xesam:title"] == .text(title))
    }

    @Test("A song of the server has no address, as its path is none")
    func serverSong() {
        #expect(MediaSong(entry: 1, uri: "a/01.flac").metadata["xesam:url"] == nil)
    }

    @Test(
        "A station has its address without a login, a file outside of the library a file's",
        arguments: [
            ("http://ann:secret@radio.example/a", "http://radio.example/a"),
            ("/music/A song.flac", "file:///music/A%20song.flac"),
        ])
    @ServerActor
    func addresses(item: String, address: String) throws {
        let player = Player(engine: NoEngine(), provider: nil) { _ in }
        try player.editAtOnce { try $0.insert([QueueCandidate(.stream(url: item, tags: []))], at: nil) }
        let entry = try #require(player.entries.first)
        #expect(MediaSong(entry: entry).metadata["xesam:url"] == .text(address))
    }

    private final class NoEngine: StillEngine {
        let events = AsyncStream<AudioEngineEvent> { $0.finish() }
        func start(_ track: EngineTrack, at position: Duration, paused: Bool) {}
    }

    @Test("A length that no clock can count is the longest that there is")
    func length() {
        let song = MediaSong(entry: 1, uri: "a", length: .seconds(Int64.max))
        #expect(song.metadata["mpris:length"] == .int64(.max))
    }

    @Test(
        "Repeating is the playlist's or the track's",
        arguments: [
            (false, false, "None"), (false, true, "None"), (true, false, "Playlist"), (true, true, "Track"),
        ])
    func loop(isRepeating: Bool, isSingle: Bool, status: String) {
        var state = MediaPlayerState.empty
        (state.isRepeating, state.isSingle) = (isRepeating, isSingle)
        #expect(state.properties["LoopStatus"] == .text(status))
    }

    @Test("The place goes on while it plays, and stays at the end of the song")
    func position() {
        let state = Self.playing(Self.song, elapsed: .seconds(190))
        #expect(state.position(at: state.moment + .seconds(4)) == .seconds(194))
        #expect(state.position(at: state.moment + .seconds(40)) == .seconds(200))
        var paused = state
        paused.transport = .pause
        #expect(paused.position(at: state.moment + .seconds(4)) == .seconds(190))
    }

    @Test("The place goes on as fast as songs play, which is no jump; stations keep their own speed")
    func speed() {
        var state = Self.playing(Self.song, elapsed: .seconds(10))
        state.speed = 1.5
        let later = state.moment + .seconds(20)
        #expect(state.position(at: later) == .seconds(40))
        #expect(state.properties["Rate"] == .double(1.5))
        #expect(!Self.playing(Self.song, elapsed: .seconds(40), moment: later).hasJumped(from: state))
        #expect(Self.playing(Self.song, elapsed: .seconds(30), moment: later).hasJumped(from: state))
        state.song = MediaSong(entry: 8, uri: "http://radio")
        #expect(state.position(at: later) == .seconds(30))
    }

    @Test("A jump is noticed, going on and another song are none")
    func jumps() {
        let before = Self.playing(Self.song, elapsed: .seconds(10))
        let later = before.moment + .seconds(5)
        #expect(!Self.playing(Self.song, elapsed: .seconds(15), moment: later).hasJumped(from: before))
        #expect(Self.playing(Self.song, elapsed: .seconds(60), moment: later).hasJumped(from: before))
        #expect(Self.playing(Self.song, elapsed: .zero, moment: later).hasJumped(from: before))
        var other = Self.song
        other.entry = 8
        #expect(!Self.playing(other, elapsed: .zero, moment: later).hasJumped(from: before))
    }

    @Test(
        "Names of partitions become names that the bus allows",
        arguments: [
            ("kitchen", "kitchen"), ("Küche oben", "K_che_oben"), ("2nd floor", "_2nd_floor"), ("", "_"),
        ])
    func names(partition: String, name: String) {
        #expect(DesktopPlayers.busName(partition) == name)
    }
}
