package import AudioFiles

/// Brings float samples, of one layout after another, to one rate and channel count; what has them already stays exact.
///
/// Where the rate changes, the sound stays continuous: what the resampler of the song before still holds back comes out
/// to the frame, and each resampler hears a little of the other song beyond its own.
package final class RateConverter {
    /// The layout of the samples that go in now.
    private(set) var layout: SampleLayout?
    /// The layout of the samples that come out.
    package let target: SampleLayout
    private var stage: RateStage?
    /// The last frames that went in, in the target's channels: what the next resampler hears before its own.
    private var history: [Float] = []
    /// The rate of what `history` holds.
    private var lastRate: Int?
    /// How many frames should have come out by the end of the last stage; not whole.
    private var owed = 0.0
    /// How many did.
    private var given = 0

    /// - Parameter target: the layout of the samples that come out.
    package init(to target: SampleLayout) { self.target = target }

    /// True if samples that went in are still to come out.
    package var holdsBack: Bool { stage.map { !$0.isDirect } ?? false }

    /// How much of a song the resampler of another one hears, in frames.
    package static let context = 1024

    /// Converts samples; those of another layout than before join on. Gives nothing if there is no converter for them.
    package func convert(_ samples: [Float], _ layout: SampleLayout) -> [Float] {
        var frames: [Float] = []
        if layout != self.layout {
            frames = end(before: samples, layout)
            guard begin(layout, samples) else { return [] }
        }
        guard let stage else { return [] }
        let mixed = stage.mix(samples)
        remember(mixed)
        let resampled = stage.resample(mixed)
        given += resampled.count / target.channels
        return frames.isEmpty ? resampled : frames + resampled
    }

    /// Gives what a change of rate still holds back; afterwards anything may follow.
    package func finish() -> [Float] {
        let frames = end(before: [], nil)
        (history, owed, given) = ([], 0, 0)
        return frames
    }

    /// Notes sound that has come out elsewhere and that the first samples join on to.
    package func follow(_ samples: [Float], _ layout: SampleLayout) {
        guard let mixed = RateStage(layout, to: target)?.mix(samples) else { return }
        history = []
        remember(mixed)
        lastRate = layout.rate
    }

    private func remember(_ mixed: [Float]) {
        let limit = Self.context * target.channels
        history = mixed.count >= limit ? Array(mixed.suffix(limit)) : Array((history + mixed).suffix(limit))
    }

    /// Lets the current stage give what it holds back, to the frame; the next song's first samples help it.
    private func end(before samples: [Float], _ next: SampleLayout?) -> [Float] {
        defer { (stage, layout) = (nil, nil) }
        guard let stage else { return [] }
        owed += stage.expected
        let missing = max(0, Int(owed.rounded()) - given)
        given += missing
        guard !stage.isDirect else { return [] }
        var following: [Float] = []
        if let next, let start = RateStage(next, to: target)?.mix(Array(samples.prefix(Self.context * next.channels))) {
            following = Seam(before: history, rate: stage.layout.rate, after: start, rate: next.rate, target.channels)
                .after(frames: stage.latency, at: stage.layout.rate)
        }
        return stage.drain(following, frames: missing)
    }

    private func begin(_ layout: SampleLayout, _ samples: [Float]) -> Bool {
        guard let stage = RateStage(layout, to: target) else { return false }
        if let last = lastRate, !history.isEmpty, !stage.isDirect, let frames = stage.primingFrames {
            let seam = Seam(
                before: history, rate: last, after: stage.mix(Array(samples.prefix(Self.context * layout.channels))),
                rate: layout.rate, target.channels)
            stage.prime(seam.before(frames: frames, at: layout.rate))
        }
        (self.stage, self.layout, lastRate) = (stage, layout, layout.rate)
        history = []
        return true
    }
}

/// Samples of one layout on their way to a target's rate and channels.
private final class RateStage {
    let layout: SampleLayout
    private let target: SampleLayout
    private let mixer: FrameConverter?
    /// Mixes where more than two channels come or leave.
    private let matrix: ChannelMatrix?
    private let resampler: FrameConverter?
    private var taken = 0

    init?(_ layout: SampleLayout, to target: SampleLayout) {
        (self.layout, self.target) = (layout, target)
        let mixed = SampleLayout(rate: layout.rate, channels: target.channels)
        let isPlain = max(layout.channels, target.channels) <= 2
        matrix = isPlain || layout.channels == target.channels ? nil : .between(layout.channels, target.channels)
        mixer = layout.channels == target.channels || !isPlain ? nil : FrameConverter(layout, to: mixed)
        resampler = layout.rate == target.rate ? nil : FrameConverter(mixed, to: target)
        if mixer == nil, matrix == nil, layout.channels != target.channels { return nil }
        if resampler == nil, layout.rate != target.rate { return nil }
    }

    /// True if the rate stays, so that nothing is held back.
    var isDirect: Bool { resampler == nil }

    /// How many frames of the target go with what was taken; not whole.
    var expected: Double { Double(taken) * Double(target.rate) / Double(layout.rate) }

    /// How much it has to hear beyond a frame, in frames of its own rate.
    var latency: Int { resampler?.latency ?? 0 }

    /// How many frames it can hear beforehand so that whole frames come out for them; nil if rates don't allow that.
    var primingFrames: Int? {
        let unit = layout.rate / Self.commonDivisor(layout.rate, target.rate)
        let frames = (latency + unit) / unit * unit
        return frames <= 4096 ? frames : nil
    }

    private static func commonDivisor(_ first: Int, _ second: Int) -> Int {
        second == 0 ? first : commonDivisor(second, first % second)
    }

    func mix(_ samples: [Float]) -> [Float] {
        if let matrix { return matrix.apply(to: samples) }
        guard let mixer else { return samples }
        var samples = samples
        return mixer.convertToFloats(&samples)
    }

    func resample(_ mixed: [Float]) -> [Float] {
        taken += mixed.count / target.channels
        guard let resampler else { return mixed }
        var mixed = mixed
        return resampler.convertToFloats(&mixed)
    }

    /// Lets the resampler hear what was before the song; what comes out for that is discarded.
    func prime(_ frames: [Float]) {
        guard let resampler else { return }
        var frames = frames
        let wanted = frames.count / target.channels * target.rate / layout.rate
        let early = resampler.convertToFloats(&frames).count / target.channels
        resampler.skip = wanted - early
    }

    /// The song's last `frames` frames; `following` is what is heard after them.
    func drain(_ following: [Float], frames: Int) -> [Float] {
        guard let resampler else { return [] }
        var result: [Float] = []
        var input = following
        while result.count < frames * target.channels {
            if input.isEmpty { input = [Float](repeating: 0, count: 256 * target.channels) }
            result += resampler.convertToFloats(&input)
            input = []
        }
        return Array(result.prefix(frames * target.channels))
    }
}

/// The seam where two songs of different rates meet: it tells how either continues in the other one's rate.
///
/// Between frames it interpolates by cubics, which is coarse for high notes; a resampler needs it only beyond a song's
/// ends, where its filter hardly hears any more.
private struct Seam {
    private let before: [Float]
    private let after: [Float]
    private let rates: (before: Double, after: Double)
    private let channels: Int

    init(before: [Float], rate: Int, after: [Float], rate afterRate: Int, _ channels: Int) {
        (self.before, self.after, self.channels) = (before, after, channels)
        rates = (Double(rate), Double(afterRate))
    }

    /// The frames before the seam, at another rate.
    func before(frames: Int, at rate: Int) -> [Float] {
        (-frames..<0).flatMap { self.frame(at: Double($0) / Double(rate)) }
    }

    /// The frames from the seam on, at another rate.
    func after(frames: Int, at rate: Int) -> [Float] {
        (0..<frames).flatMap { self.frame(at: Double($0) / Double(rate)) }
    }

    /// The sound at a time after the seam, in seconds.
    private func frame(at time: Double) -> [Float] {
        let place = time < 0 ? time * rates.before : time * rates.after
        let index = Int(place.rounded(.down))
        let fraction = Float(place - Double(index))
        // Next to the seam a cubic would need frames of one spacing on both sides; a straight line is near enough.
        guard let first = point(index, time < 0), let second = point(index + 1, time < 0) else {
            return [Float](repeating: 0, count: channels)
        }
        guard let zeroth = point(index - 1, time < 0), let third = point(index + 2, time < 0) else {
            return (0..<channels).map {
                first[first.startIndex + $0] * (1 - fraction) + second[second.startIndex + $0] * fraction
            }
        }
        return (0..<channels).map { channel in
            let (a, b) = (zeroth[zeroth.startIndex + channel], first[first.startIndex + channel])
            let (c, d) = (second[second.startIndex + channel], third[third.startIndex + channel])
            let slope = fraction * (2 * a - 5 * b + 4 * c - d + fraction * (3 * (b - c) + d - a))
            return b + 0.5 * fraction * (c - a + slope)
        }
    }

    /// A frame counted from the seam, on the grid of one of the songs.
    private func point(_ index: Int, _ isBefore: Bool) -> ArraySlice<Float>? {
        if isBefore, index == 0 { return after.count >= channels ? after[0..<channels] : before.suffix(channels) }
        let (samples, place) = index < 0 ? (before, before.count / channels + index) : (after, index)
        guard isBefore == (index < 0), place >= 0, (place + 1) * channels <= samples.count else { return nil }
        return samples[(place * channels)..<((place + 1) * channels)]
    }
}
