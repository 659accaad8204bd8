import Coordination
import Testing

@testable import AudioFiles
@testable import AudioOutputs

@Suite("The level of a fade")
struct FadeEnvelopeTests {
    private static let second = Nanoseconds.seconds(1)
    private static let layout = SampleLayout(rate: 1000, channels: 2)

    /// A block of the level 1 throughout.
    private func block(_ start: Nanoseconds, frames: Int) -> SampleBlock {
        SampleBlock(
            start: start, duration: Self.layout.length(frames: frames), layout: Self.layout,
            samples: [Float](repeating: 1, count: frames * 2))
    }

    /// The left channel of a block as the envelope makes it.
    private func applied(_ envelope: FadeEnvelope, _ start: Nanoseconds, frames: Int) -> [Float] {
        var block = block(start, frames: frames)
        envelope.apply(to: &block)
        return stride(from: 0, to: block.samples.count, by: 2).map { block.samples[$0] }
    }

    @Test("without a fade no sample is changed")
    func flat() {
        #expect(FadeEnvelope().isFlat && applied(FadeEnvelope(), .zero, frames: 10) == [Float](repeating: 1, count: 10))
    }

    @Test("it falls in a straight line to silence, waits there, and rises again")
    func fallsAndRises() {
        var envelope = FadeEnvelope()
        envelope.fall(from: Self.second, to: .seconds(2))
        #expect(envelope.end == .seconds(2))
        let fallen = applied(envelope, .zero, frames: 3000)
        #expect(fallen[..<1000].allSatisfy { $0 == 1 } && fallen[2000...].allSatisfy { $0 == 0 })
        #expect(zip(fallen, fallen.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 0.0011 })
        envelope.rise(from: .seconds(2), over: Self.second)
        #expect(envelope.end == nil)
        let risen = applied(envelope, .seconds(2), frames: 2000)
        #expect(zip(risen, risen.dropFirst()).allSatisfy { $0 <= $1 && $1 - $0 < 0.0011 })
        #expect(risen[1000...].allSatisfy { $0 == 1 })
    }

    @Test("the blocks that the sound comes in make no difference")
    func blocks() {
        var envelope = FadeEnvelope()
        envelope.fall(from: .milliseconds(101), to: .milliseconds(303))
        let whole = applied(envelope, .zero, frames: 400)
        let pieces = stride(from: 0, to: 400, by: 40).flatMap { applied(envelope, .milliseconds($0), frames: 40) }
        #expect(zip(whole, pieces).allSatisfy { abs($0 - $1) < 0.00001 })
    }

    @Test("a fade that is turned round goes on from as loud as it is, in the part of the time that is left")
    func turnsRound() {
        var envelope = FadeEnvelope()
        envelope.fall(from: .zero, to: Self.second)
        envelope.rise(from: Self.second / 4, over: Self.second)
        #expect(abs(envelope.level(at: Self.second / 4) - 0.75) < 0.001)
        #expect(envelope.level(at: Self.second / 2) == 1)
        envelope.fall(from: Self.second * 3 / 8, to: Self.second * 11 / 8)
        #expect(abs(envelope.level(at: Self.second * 3 / 8) - 0.875) < 0.001)
        #expect(envelope.end == Self.second * 10 / 8)
    }

    @Test("other sound behind a place is as loud as it was mixed, and what lies before it goes on fading")
    func breaksOff() {
        var envelope = FadeEnvelope()
        envelope.fall(from: .zero, to: Self.second)
        envelope.breakOff(at: Self.second / 2)
        #expect(envelope.end == nil)
        let levels = applied(envelope, .zero, frames: 1000)
        #expect(abs(levels[498] - 0.501) < 0.001 && levels[500...].allSatisfy { $0 == 1 })
    }

    @Test("what has passed is forgotten, a fade that waits never is, and much toggling leaves little behind")
    func forgets() {
        var envelope = FadeEnvelope()
        envelope.fall(from: .zero, to: Self.second)
        envelope.forget(before: .seconds(9))
        #expect(envelope.end == Self.second && envelope.level(at: .seconds(9)) == 0)
        envelope.rise(from: Self.second, over: Self.second)
        envelope.forget(before: .seconds(2))
        #expect(envelope.isFlat)
        let moment = Nanoseconds(count: 5)
        for _ in 0..<1000 {
            envelope.fall(from: moment, to: moment + Self.second)
            envelope.rise(from: moment, over: Self.second)
            envelope.forget(before: moment)
        }
        #expect(envelope.level(at: moment) == 1)
        envelope.forget(before: moment + Nanoseconds(count: 1))
        #expect(envelope.isFlat)
    }

    @Test("a block is split at a place to the frame, and not where nothing would be left of one side")
    func splits() throws {
        let whole = block(Self.second, frames: 40)
        let (before, behind) = try #require(whole.split(at: Self.second + .milliseconds(10)))
        #expect(before.frames == 10 && behind.frames == 30)
        #expect(before.end == behind.start && behind.end == whole.end && before.start == whole.start)
        #expect(whole.split(at: Self.second) == nil && whole.split(at: whole.end) == nil)
        #expect(whole.split(at: .min) == nil && whole.split(at: .max) == nil)
        #expect(whole.split(at: Self.second + Nanoseconds(count: 1)) == nil)
    }
}
