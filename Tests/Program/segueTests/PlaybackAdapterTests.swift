import MusicModel
import Partitions
import SegueConfiguration
import StateFiles
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
        #expect(settings.queueLimit == 1234 && settings.prefetchCount == 7)
        #expect(settings.resume == .play && settings.crossfade == 3 && settings.replayGainMode == .album)
    }

    @Test("errors that are one line for users already keep their words, and others are not taken for such")
    func failures() {
        struct Other: Error {}
        #expect(Failures.known(StateFileError("the disk is full"))?.message == "the disk is full")
        #expect(Failures.known(Other()) == nil)
    }
}
