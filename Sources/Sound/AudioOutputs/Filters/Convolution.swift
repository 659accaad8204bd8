import CSound
import Glibc
import MusicModel
import Outputs

/// The impulse response of a room's correction.
struct ImpulseResponse: Sendable {
    /// The samples of each channel: one for all, one for each side, or one for each channel of the sound.
    let channels: [[Float]]

    init?(channels: [[Float]]) {
        guard let length = channels.first?.count, length > 0, channels.allSatisfy({ $0.count == length }) else {
            return nil
        }
        self.channels = channels
    }

    /// The response for one of `count` channels: its own where there is one for each, or else that of its side.
    func samples(for channel: Int, of count: Int) -> [Float] {
        guard channels.count != count else { return channels[channel] }
        guard channels.count > 1, count > 1 else { return channels[0] }
        let side = Speaker.layout(channels: count)[channel].side
        switch side {
        case .left: return channels[0]
        case .right: return channels[1]
        // As late as either, so that all of them stay together.
        case .middle: return zip(channels[0], channels[1]).map { ($0 + $1) / 2 }
        }
    }

    /// The longest that is taken, in seconds.
    static let longest = 10

    var frames: Int { channels[0].count }
}

/// Convolution with an impulse response, in parts of equal length that are multiplied in the frequency domain.
///
/// Its sound is late by a part: 1024 frames, 23 ms at 44.1 kHz.
final class Convolution: FilterStage {
    static let latency = 1024
    var latency: Int { Self.latency }

    private let channels: Int
    private var lines: [ConvolvedChannel]
    /// The samples that wait for a whole part, and those that are ready.
    private var (waiting, ready): ([Float], [Float])

    init(_ response: ImpulseResponse, channels: Int) {
        self.channels = channels
        lines = (0..<channels).map { ConvolvedChannel(response.samples(for: $0, of: channels)) }
        waiting = []
        ready = Array(repeating: 0, count: Self.latency * channels)
    }

    func process(_ samples: inout [Float]) {
        waiting += samples
        let whole = Self.latency * channels
        while waiting.count >= whole {
            ready += convolved(waiting[..<whole])
            waiting.removeFirst(whole)
        }
        samples.replaceSubrange(samples.indices, with: ready[..<samples.count])
        ready.removeFirst(samples.count)
    }

    private func convolved(_ part: ArraySlice<Float>) -> [Float] {
        var result = [Float](repeating: 0, count: part.count)
        for channel in 0..<channels {
            let output = lines[channel].process(
                stride(from: part.startIndex + channel, to: part.endIndex, by: channels).map { part[$0] })
            for (frame, sample) in output.enumerated() { result[frame * channels + channel] = sample }
        }
        return result
    }
}

/// One channel of it: overlap-save with the spectra of the last parts.
private final class ConvolvedChannel {
    private static let part = Convolution.latency
    private static let bins = part + 1
    private let transform = Transform(length: part * 2)
    /// The spectra of the parts of the response, one after the other.
    private let response: [GstFFTF32Complex]
    private let count: Int
    /// The spectra of the sound, the newest at `newest`.
    private var history: [GstFFTF32Complex]
    private var newest = 0
    private var before = [Float](repeating: 0, count: part)

    init(_ samples: [Float]) {
        count = (samples.count + Self.part - 1) / Self.part
        var spectra: [GstFFTF32Complex] = []
        for start in stride(from: 0, to: samples.count, by: Self.part) {
            var piece = Array(samples[start..<min(samples.count, start + Self.part)])
            piece += [Float](repeating: 0, count: Self.part * 2 - piece.count)
            spectra += transform.spectrum(of: &piece)
        }
        response = spectra
        history = Array(repeating: GstFFTF32Complex(r: 0, i: 0), count: count * Self.bins)
    }

    func process(_ samples: [Float]) -> [Float] {
        var both = before + samples
        before = samples
        newest = newest == 0 ? count - 1 : newest - 1
        history.replaceSubrange(newest * Self.bins..<(newest + 1) * Self.bins, with: transform.spectrum(of: &both))
        var sum = [GstFFTF32Complex](repeating: GstFFTF32Complex(r: 0, i: 0), count: Self.bins)
        sum.withUnsafeMutableBufferPointer { sum in
            response.withUnsafeBufferPointer { response in
                history.withUnsafeBufferPointer { history in
                    for part in 0..<count {
                        let place = (newest + part) % count * Self.bins
                        var bin = 0
                        while bin < Self.bins {
                            let (one, other) = (history[place + bin], response[part * Self.bins + bin])
                            sum[bin].r += one.r * other.r - one.i * other.i
                            sum[bin].i += one.r * other.i + one.i * other.r
                            bin += 1
                        }
                    }
                }
            }
        }
        return Array(transform.samples(of: &sum)[Self.part...])
    }
}

/// GStreamer's transform of real samples and back.
final class Transform {
    private let length: Int
    private let forward: OpaquePointer?
    private let inverse: OpaquePointer?

    init(length: Int) {
        self.length = length
        forward = gst_fft_f32_new(gint(length), 0)
        inverse = gst_fft_f32_new(gint(length), 1)
    }

    deinit {
        gst_fft_f32_free(forward)
        gst_fft_f32_free(inverse)
    }

    func spectrum(of samples: inout [Float]) -> [GstFFTF32Complex] {
        [GstFFTF32Complex](unsafeUninitializedCapacity: length / 2 + 1) { spectrum, count in
            gst_fft_f32_fft(forward, &samples, spectrum.baseAddress)
            count = length / 2 + 1
        }
    }

    func samples(of spectrum: inout [GstFFTF32Complex]) -> [Float] {
        let samples = [Float](unsafeUninitializedCapacity: length) { samples, count in
            gst_fft_f32_inverse_fft(inverse, &spectrum, samples.baseAddress)
            count = length
        }
        let scale = 1 / Float(length)
        return samples.map { $0 * scale }
    }
}

extension ImpulseResponse {
    /// The impulse response that follows a curve of points: of minimum phase, so that nothing sounds before its time.
    ///
    /// Half a second of it follows curves within a tenth of a decibel from 20 Hz on.
    /// - Source: A. Oppenheim, R. Schafer, "Discrete-Time Signal Processing", the minimum phase by the real cepstrum.
    static func following(_ points: [EqualizerCurve.Point], rate: Int) -> ImpulseResponse? {
        var length = Convolution.latency
        while length < rate / 2 { length *= 2 }
        // Four times as long, or the cepstrum would overlap itself.
        let transform = Transform(length: length * 4)
        var spectrum = logarithms(points, rate: rate, bins: length * 2 + 1)
        var cepstrum = transform.samples(of: &spectrum)
        for index in 1..<length * 2 { cepstrum[index] *= 2 }
        for index in (length * 2 + 1)..<cepstrum.count { cepstrum[index] = 0 }
        spectrum = transform.spectrum(of: &cepstrum).map { bin in
            let size = exp(bin.r)
            return GstFFTF32Complex(r: size * cos(bin.i), i: size * sin(bin.i))
        }
        return ImpulseResponse(channels: [ended(transform.samples(of: &spectrum), length: length)])
    }

    private static func logarithms(_ points: [EqualizerCurve.Point], rate: Int, bins: Int) -> [GstFFTF32Complex] {
        (0..<bins).map { bin in
            let hertz = Double(bin) * Double(rate) / Double(2 * (bins - 1))
            let gain = EqualizerCurve.gain(of: points, at: hertz)
            return GstFFTF32Complex(r: Float(gain / 20 * log(10)), i: 0)
        }
    }

    private static func ended(_ samples: [Float], length: Int) -> [Float] {
        let fade = length / 4
        return samples.prefix(length).enumerated().map { index, sample in
            let left = length - index
            return left >= fade ? sample : sample * (1 - cos(Float.pi * Float(left) / Float(fade))) / 2
        }
    }
}
