import CGStreamer
import Glibc

/// Magnitudes of the frequencies in a window of samples, by GStreamer's FFT.
///
/// - Isolation: one thread at a time.
final class Spectrum {
    /// How many samples a window has.
    let size: Int
    private let transform: OpaquePointer
    private var window: [Float]
    private var weighted: [Float]
    private var frequencies: [GstFFTF32Complex]
    /// The magnitudes of the last window, from 0 Hz to half of the rate.
    private(set) var magnitudes: [Float]

    /// Prepares for windows of so many samples, an even number; nil without memory.
    init?(size: Int) {
        guard let transform = gst_fft_f32_new(Int32(size), 0) else { return nil }
        self.transform = transform
        self.size = size
        window = (0..<size).map { 0.5 - 0.5 * cosf(2 * .pi * Float($0) / Float(size)) }
        weighted = [Float](repeating: 0, count: size)
        frequencies = [GstFFTF32Complex](repeating: GstFFTF32Complex(), count: size / 2 + 1)
        magnitudes = [Float](repeating: 0, count: size / 2 + 1)
    }

    deinit { gst_fft_f32_free(transform) }

    /// Transforms the window that begins at `start`.
    func read(_ samples: [Float], from start: Int) {
        for index in 0..<size { weighted[index] = samples[start + index] * window[index] }
        gst_fft_f32_fft(transform, weighted, &frequencies)
        for index in magnitudes.indices {
            let (real, imaginary) = (frequencies[index].r, frequencies[index].i)
            magnitudes[index] = (real * real + imaginary * imaginary).squareRoot()
        }
    }
}
