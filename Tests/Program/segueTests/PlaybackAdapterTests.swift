import LibraryIndex
import MusicModel
import Players
import Playback
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
        #expect(settings.beginning.resume == .play && settings.beginning.crossfade == 3)
        #expect(settings.beginning.replayGain == .album)
    }

    @Test("errors of parts keep their words, and one tells the service manager that another start won't help")
    func failures() {
        #expect(CommandFailure(StateFileError("the disk is full")).message == "the disk is full")
        let older = CommandFailure(LibraryError(.otherVersion, "it is newer"))
        #expect(older.message == "it is newer" && older.status == CommandFailure.uselessToRepeat)
    }
}
