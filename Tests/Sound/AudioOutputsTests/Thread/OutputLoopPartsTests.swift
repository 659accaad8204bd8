import Coordination
import Testing

@testable import AudioFiles
@testable import AudioOutputs

@Suite("When a device that failed is tried again")
struct DeviceRetriesTests {
    @Test("at once at first, then after pauses that double up to the longest")
    func grows() {
        var retries = DeviceRetries(first: .milliseconds(10), longest: .milliseconds(35))
        #expect(retries.isDue(at: .zero))
        for pause in [10, 20, 35, 35] {
            retries.failed(at: .seconds(1))
            #expect(!retries.isDue(at: .milliseconds(1000 + pause - 1)))
            #expect(retries.isDue(at: .milliseconds(1000 + pause)))
        }
    }

    @Test("once it works the pauses begin anew")
    func begins() {
        var retries = DeviceRetries(first: .milliseconds(10), longest: .milliseconds(35))
        for _ in 1...3 { retries.failed(at: .seconds(1)) }
        retries.begin()
        #expect(retries.isDue(at: .seconds(1)))
        retries.failed(at: .seconds(2))
        #expect(!retries.isDue(at: .milliseconds(2009)) && retries.isDue(at: .milliseconds(2010)))
    }
}

@Suite("The volume of an output's blocks")
struct BlockVolumeTests {
    private let layout = SampleLayout(rate: 48_000, channels: 1)

    private func block(from start: Nanoseconds) -> SampleBlock {
        SampleBlock(
            start: start, duration: .milliseconds(20), layout: layout, samples: [Float](repeating: 1, count: 960))
    }

    @Test("full volume leaves the samples as they are")
    func full() {
        var volume = BlockVolume()
        var sound = block(from: .zero)
        volume.apply(1, to: &sound)
        #expect(sound.samples.allSatisfy { $0 == 1 })
    }

    @Test("sound that begins has the new volume from its first sample")
    func begins() {
        var volume = BlockVolume()
        var sound = block(from: .zero)
        volume.apply(0.5, to: &sound)
        #expect(sound.samples.allSatisfy { $0 == 0.5 })
    }

    @Test("within sound that goes on the volume changes over 10 ms, and stays there")
    func goesOn() {
        var volume = BlockVolume()
        var (first, second, third) = (
            block(from: .zero), block(from: .milliseconds(20)), block(from: .milliseconds(40))
        )
        volume.apply(1, to: &first)
        volume.apply(0, to: &second)
        volume.apply(0, to: &third)
        #expect(second.samples[0] > 0.9 && second.samples[240] < 0.6 && second.samples[240] > 0.4)
        #expect(second.samples[480...].allSatisfy { $0 == 0 } && third.samples.allSatisfy { $0 == 0 })
    }
}
