import Discovery
import Playback
import ServerLoop
import Testing

@testable import Players

@Suite("The auto-DJ's channel")
@ServerActor
struct DJChannelTests {
    @Test("takes messages of its own, and lines of a chat that begin with its name, and answers where it was asked")
    func lines() async throws {
        try await AutoDJStage.with { stage in
            let (channel, partition) = (DJChannel(stage.dj), stage.partition)
            #expect(channel.channels(of: partition) == [channel.name])
            for line in ["dj status", "<ada> dj status"] {
                #expect(channel.take(line, on: "chat", in: partition))
                #expect(channel.channels(of: partition) == [channel.name, "chat"])
            }
            for line in ["hello", "<ada> hello", "djs on", "<ada dj on", "dj"] {
                #expect(!channel.take(line, on: "chat", in: partition))
            }
            #expect(!channel.take("dj status", on: "other", in: partition))
            #expect(channel.take("status", on: channel.name, in: partition))
            #expect(channel.channels(of: partition) == [channel.name])
        }
    }

    @Test("loading its playlist switches it on, and no other does")
    func playlist() async throws {
        try await AutoDJStage.with { stage in
            let (channel, partition) = (DJChannel(stage.dj), stage.partition)
            stage.dj.take("off", in: partition)
            channel.loaded("Sunday", in: partition)
            #expect(!stage.dj.isOn(in: partition))
            channel.loaded(MixMaker.autoDJName, in: partition)
            #expect(stage.dj.isOn(in: partition) && channel.isListed(in: partition))
        }
    }
}
