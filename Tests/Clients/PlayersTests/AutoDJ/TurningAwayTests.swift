import Discovery
import MusicModel
import Playback
import ServerLoop
import TestSupport
import Testing
import UserLibrary

@testable import Players

@Suite("Turning away from a song")
@ServerActor
struct TurningAwayTests {
    @Test("does not turn towards it where it was all that the listener chose")
    func onlySeed() async throws {
        try await AutoDJStage.with { stage in
            let (session, seed) = (stage.session, SongID(rawValue: 1))
            let heard = try #require(session.current?.song)
            stage.engine.begin()
            try await stage.clock.passPauses(until: "its first sound") { session.current?.hasBegun == true }
            stage.clock.pass(.seconds(200))
            try stage.partition.player.play(position: 0)
            try await stage.clock.passPauses(until: "the first song again") {
                session.current?.song == seed && !session.isRefilling
            }
            stage.dj.take("like", in: stage.partition)
            #expect(session.saved.seeds == [seed] && session.current?.song == seed && session.heard.lineup.last == seed)
            stage.dj.take("less", in: stage.partition)
            let request = stage.dj.request(session, isReplacing: true)
            #expect(session.saved.seeds.isEmpty && request.unavailable.contains(session.waiting[0].song))
            #expect(request.anchors == [heard: 1])
            try await stage.clock.passPauses(until: "other picks") { !session.isRefilling && !session.isRefreshPlanned }
        }
    }
}
