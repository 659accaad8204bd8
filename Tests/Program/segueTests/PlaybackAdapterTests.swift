import MusicModel
import Players
import Playback
import PlaybackEngine
import SegueConfiguration
import Testing

@testable import segue

@Suite("What the configuration becomes")
struct PlaybackAdapterTests {
    @Test("players get the limits and the options of a fresh installation")
    func players() throws {
        let configuration = try Configuration.parse(
            """
            [server]
            max_playlist_length = 1234
            [cache]
            prefetch = 7
            [playback]
            resume = "play"
            crossfade = 3
            replay_gain = "album"
            """, file: "segue.toml", environment: ["HOME": "/home/me"])
        let settings = PartitionSettings(configuration)
        #expect(settings.player.queueLimit == 1234 && settings.player.prefetchCount == 7)
        #expect(settings.resume == .play && settings.crossfade == 3 && settings.replayGainMode == .album)
    }

    @Test("engines get the fades, and none where the configuration says nothing")
    func fades() throws {
        func settings(_ text: String) throws -> FadeSettings {
            let configuration = try Configuration.parse(
                "[playback]\n" + text, file: "segue.toml", environment: ["HOME": "/home/me"])
            return FadeSettings(configuration.playback)
        }
        #expect(try settings("") == FadeSettings())
        let text = "fade_on_pause = 0.15\nfade_on_stop = 2\ncrossfade_on_next = 1.5\nbeat_match = true"
        #expect(
            try settings(text)
                == FadeSettings(
                    pause: .milliseconds(150), stop: .seconds(2), next: .milliseconds(1500),
                    matchesBeats: true))
    }

    @Test("errors that are one line for users already keep their words, and others are not taken for such")
    func failures() {
        struct Other: Error {}
        #expect(Failures.known(StateFileError("the disk is full"))?.message == "the disk is full")
        #expect(Failures.known(Other()) == nil)
    }
}
