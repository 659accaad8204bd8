import CSound
import Glibc
import Outputs

extension ImpulseResponse {
    /// The impulse response that follows a curve of points: of minimum phase, so that nothing sounds before its time.
    ///
    /// Half a second of it follows curves within a tenth of a decibel from 20 Hz on.
    ///
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

    /// The logarithm of the curve at each bin.
    private static func logarithms(_ points: [EqualizerCurve.Point], rate: Int, bins: Int) -> [GstFFTF32Complex] {
        (0..<bins).map { bin in
            let hertz = Double(bin) * Double(rate) / Double(2 * (bins - 1))
            let gain = EqualizerCurve.gain(of: points, at: hertz)
            return GstFFTF32Complex(r: Float(gain / 20 * log(10)), i: 0)
        }
    }

    /// The first samples, the last quarter of which fades away.
    private static func ended(_ samples: [Float], length: Int) -> [Float] {
        let fade = length / 4
        return samples.prefix(length).enumerated().map { index, sample in
            let left = length - index
            return left >= fade ? sample : sample * (1 - cos(Float.pi * Float(left) / Float(fade))) / 2
        }
    }
}
