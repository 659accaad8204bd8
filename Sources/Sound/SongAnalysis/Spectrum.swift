import CSound
import Glibc

/// Magnitudes of the frequencies in a window of samples, by GStreamer's FFT.
/// - Isolation: one thread at a time.
final class Spectrum {
    let size: Int
    private let transform: OpaquePointer
    // Memory of its own: each access to a class's array is checked while it runs, which took longer than transforming.
    private let window: UnsafeMutableBufferPointer<Float>
    private let weighted: UnsafeMutableBufferPointer<Float>
    private let frequencies: UnsafeMutableBufferPointer<GstFFTF32Complex>
    private let found: UnsafeMutableBufferPointer<Float>
    /// The magnitudes of the last window, from 0 Hz to half of the rate; valid until the next one is read.
    var magnitudes: UnsafeBufferPointer<Float> { UnsafeBufferPointer(found) }

    init?(size: Int) {
        guard let transform = gst_fft_f32_new(Int32(size), 0) else { return nil }
        (self.transform, self.size) = (transform, size)
        window = .allocate(capacity: size)
        weighted = .allocate(capacity: size)
        frequencies = .allocate(capacity: size / 2 + 1)
        found = .allocate(capacity: size / 2 + 1)
        for index in 0..<size {
            window.initializeElement(at: index, to: 0.5 - 0.5 * cosf(2 * .pi * Float(index) / Float(size)))
        }
        weighted.initialize(repeating: 0)
        frequencies.initialize(repeating: GstFFTF32Complex())
        found.initialize(repeating: 0)
    }

    deinit {
        gst_fft_f32_free(transform)
        window.deallocate()
        weighted.deallocate()
        frequencies.deallocate()
        found.deallocate()
    }

    func read(_ samples: [Float], from start: Int) {
        samples.withUnsafeBufferPointer { samples in
            let piece = UnsafeBufferPointer(rebasing: samples[start..<start + size])
            for index in 0..<size { weighted[index] = piece[index] * window[index] }
        }
        gst_fft_f32_fft(transform, weighted.baseAddress, frequencies.baseAddress)
        for index in found.indices {
            let (real, imaginary) = (frequencies[index].r, frequencies[index].i)
            found[index] = (real * real + imaginary * imaginary).squareRoot()
        }
    }
}
