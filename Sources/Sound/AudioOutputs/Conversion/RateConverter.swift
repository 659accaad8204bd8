package import AudioFiles
import CSound

/// Brings float samples, of one layout after another, to one rate and channel count; what has them already stays exact.
///
/// Where the rate changes, the sound stays continuous: what the resampler of the song before still holds back comes out
/// to the frame, and each resampler hears a little of the other song beyond its own.
package final class RateConverter {
    private(set) var layout: SampleLayout?
    /// The layout of the samples that come out.
    package let target: SampleLayout
    private var stage: RateStage?
    /// The last frames that went in, in the target's channels: what the next resampler hears before its own.
    private var history: [Float] = []
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

private final class RateStage {
    let layout: SampleLayout
    private let target: SampleLayout
    private let matrix: ChannelMatrix?
    private let resampler: FrameConverter?
    private var taken = 0

    init?(_ layout: SampleLayout, to target: SampleLayout) {
        (self.layout, self.target) = (layout, target)
        let mixed = SampleLayout(rate: layout.rate, channels: target.channels)
        matrix = layout.channels == target.channels ? nil : .between(layout.channels, target.channels)
        resampler = layout.rate == target.rate ? nil : FrameConverter(mixed, to: target)
        if resampler == nil, layout.rate != target.rate { return nil }
    }

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

    func mix(_ samples: [Float]) -> [Float] { matrix?.apply(to: samples) ?? samples }

    func resample(_ mixed: [Float]) -> [Float] {
        taken += mixed.count / target.channels
        return resampler?.convertToFloats(mixed) ?? mixed
    }

    /// Lets the resampler hear what was before the song; what comes out for that is discarded.
    func prime(_ frames: [Float]) {
        guard let resampler else { return }
        let wanted = frames.count / target.channels * target.rate / layout.rate
        let early = resampler.convertToFloats(frames).count / target.channels
        resampler.skip = wanted - early
    }

    /// The song's last `frames` frames; `following` is what is heard after them.
    func drain(_ following: [Float], frames: Int) -> [Float] {
        guard let resampler else { return [] }
        var result: [Float] = []
        var input = following
        while result.count < frames * target.channels {
            if input.isEmpty { input = [Float](repeating: 0, count: 256 * target.channels) }
            result += resampler.convertToFloats(input)
            input = []
        }
        return Array(result.prefix(frames * target.channels))
    }
}

/// The seam where two songs of different rates meet: it tells how either continues in the other one's rate.
///
/// Straight lines between frames are coarse for high notes, but a resampler needs it only beyond a song's ends, where
/// its filter hardly hears any more.
private struct Seam {
    private let before: [Float]
    private let after: [Float]
    private let rates: (before: Double, after: Double)
    private let channels: Int

    init(before: [Float], rate: Int, after: [Float], rate afterRate: Int, _ channels: Int) {
        (self.before, self.after, self.channels) = (before, after, channels)
        rates = (Double(rate), Double(afterRate))
    }

    func before(frames: Int, at rate: Int) -> [Float] {
        (-frames..<0).flatMap { self.frame(at: Double($0) / Double(rate)) }
    }

    func after(frames: Int, at rate: Int) -> [Float] {
        (0..<frames).flatMap { self.frame(at: Double($0) / Double(rate)) }
    }

    /// The sound at a time after the seam, in seconds.
    private func frame(at time: Double) -> [Float] {
        let place = time < 0 ? time * rates.before : time * rates.after
        let index = Int(place.rounded(.down))
        let fraction = Float(place - Double(index))
        guard let first = point(index, time < 0), let second = point(index + 1, time < 0) else {
            return [Float](repeating: 0, count: channels)
        }
        return zip(first, second).map { $0 + ($1 - $0) * fraction }
    }

    /// A frame counted from the seam, on the grid of one of the songs.
    private func point(_ index: Int, _ isBefore: Bool) -> ArraySlice<Float>? {
        if isBefore, index == 0 { return after.count >= channels ? after[0..<channels] : before.suffix(channels) }
        let (samples, place) = index < 0 ? (before, before.count / channels + index) : (after, index)
        guard isBefore == (index < 0), place >= 0, (place + 1) * channels <= samples.count else { return nil }
        return samples[(place * channels)..<((place + 1) * channels)]
    }
}

/// GStreamer's audio converter for floats of one layout.
final class FrameConverter {
    private let converter: OpaquePointer
    private let channels: Int
    private let frameSize: Int
    /// How many frames of what comes out are still to be discarded.
    var skip = 0

    /// Converts to another sample format, rate or channel count; nil if there is no converter.
    init?(
        _ layout: SampleLayout, to format: GstAudioFormat = GST_AUDIO_FORMAT_F32LE, _ target: SampleLayout? = nil,
        frameSize: Int
    ) {
        let target = target ?? layout
        let made = segue_converter_new(
            GST_AUDIO_FORMAT_F32LE, gint(layout.rate), gint(layout.channels), format, gint(target.rate),
            gint(target.channels))
        guard let made else { return nil }
        (converter, channels, self.frameSize) = (made, layout.channels, frameSize)
    }

    convenience init?(_ layout: SampleLayout, to target: SampleLayout) {
        self.init(layout, target, frameSize: 4 * target.channels)
    }

    deinit { gst_audio_converter_free(converter) }

    /// How many frames it has to hear beyond the one that comes out.
    var latency: Int { Int(gst_audio_converter_get_max_latency(converter)) }

    func convertToFloats(_ samples: [Float]) -> [Float] {
        let count = outputFrames(samples)
        var floats = [Float](unsafeUninitializedCapacity: max(1, count * frameSize / 4)) { target, filled in
            filled = convert(samples, UnsafeMutableRawPointer(target.baseAddress), count) / 4
        }
        let discarded = max(0, min(skip, count))
        floats.removeFirst(min(floats.count, discarded * frameSize / 4))
        skip -= discarded
        return floats
    }

    func convert(_ samples: [Float]) -> [UInt8] {
        let count = outputFrames(samples)
        return [UInt8](unsafeUninitializedCapacity: max(1, count * frameSize)) { target, filled in
            filled = convert(samples, UnsafeMutableRawPointer(target.baseAddress), count)
        }
    }

    private func outputFrames(_ samples: [Float]) -> Int {
        Int(gst_audio_converter_get_out_frames(converter, gsize(samples.count / channels)))
    }

    private func convert(_ samples: [Float], _ target: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        let frames = samples.count / channels
        guard frames > 0 else { return 0 }
        // Only a converter that was told so writes into what it reads.
        let isDone = samples.withUnsafeBytes { bytes in
            var inputs = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            var outputs: gpointer? = target
            return gst_audio_converter_samples(
                converter, GST_AUDIO_CONVERTER_FLAG_NONE, &inputs, gsize(frames), &outputs, gsize(count)) != 0
        }
        return isDone ? count * frameSize : 0
    }
}
