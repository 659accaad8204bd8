import MusicModel
import Playback
import ServerLoop
import TestSupport
import Testing
import UserLibrary

@testable import Players

@Suite("Songs that can't be played")
@ServerActor
struct FailingSongTests {
    @Test("are neither skips nor heard, and don't come again at once")
    func failing() async throws {
        try await AutoDJStage.with { stage in
            let (seeds, session) = (stage.session.saved.seeds, stage.session)
            var failed: Set<SongID> = []
            for _ in 0..<3 {
                failed.insert(try #require(session.current?.song))
                try await stage.goOn { stage.engine.fail() }
            }
            #expect(try await stage.outcomes() == [.failed: 3, .waiting: 4])
            #expect(session.taste.skipsInRow == 0 && session.taste.refused.isEmpty && session.saved.seeds == seeds)
            #expect(session.taste.lastHeardToEnd == SongID(rawValue: 1))
            #expect(
                failed.isDisjoint(with: session.waiting.map(\.song)) && failed.isDisjoint(with: session.heard.lineup))
            #expect(session.heard.failed(stage.clock.now) == failed)
            stage.clock.pass(.seconds(3601))
            #expect(session.heard.failed(stage.clock.now).isEmpty)
        }
    }

    @Test("are followed by others also where all that waited fail at once")
    func failingAtOnce() async throws {
        try await AutoDJStage.with { stage in
            let (player, count) = (stage.partition.player, stage.partition.player.count)
            while let failing = player.current?.entry.id, player.position(of: failing).map({ $0 < count }) == true {
                stage.engine.fail()
                try await stage.clock.passPauses(until: "the song behind it, or the end") {
                    player.current?.entry.id != failing
                }
            }
            try await stage.clock.passPauses(until: "a new song") {
                player.isPlaying && player.current.flatMap { player.position(of: $0.entry.id) } == count
            }
        }
    }

    @Test("left after a long silence teach nothing; time waited for the first sound does not count as heard")
    func silence() async throws {
        try await AutoDJStage.with { stage in
            let session = stage.session
            // The server is away: nothing is heard for a minute, then the listener has enough of it.
            stage.clock.pass(.seconds(60))
            try await stage.goOn { try stage.partition.player.next() }
            #expect(try await stage.outcomes()[.failed] == 1)
            #expect(session.taste.lastHeardToEnd == SongID(rawValue: 1) && session.taste.skipsInRow == 0)
            // This one begins after a minute, and is skipped after two seconds.
            stage.clock.pass(.seconds(60))
            stage.engine.begin()
            try await stage.clock.passPauses(until: "the first sound") { session.current?.hasBegun == true }
            stage.clock.pass(.seconds(2))
            try await stage.goOn { try stage.partition.player.next() }
            #expect(try await stage.outcomes()[.skipped] == 1 && session.taste.skipsInRow == 1)
            // One that is skipped before its first sound could be heard was turned down.
            try await stage.goOn { try stage.partition.player.next() }
            #expect(try await stage.outcomes()[.skipped] == 2)
        }
    }
}
