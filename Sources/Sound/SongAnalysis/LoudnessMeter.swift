import CEBUR128

/// Measures loudness as EBU R 128 has it, by libebur128.
///
/// - Isolation: one thread at a time.
final class LoudnessMeter {
    private var state: UnsafeMutablePointer<ebur128_state>?
    private var layout: (rate: Int, channels: Int) = (0, 0)

    /// Takes samples in; what are no numbers count as silence, and what libebur128 can't take, as without memory,
    /// is left out.
    func take(_ samples: UnsafeBufferPointer<Float>, rate: Int, channels: Int) {
        // One of them would leave no loudness of the whole song.
        guard Self.hasOthers(samples) else {
            return takeNumbers(samples, rate: rate, channels: channels)
        }
        samples.map { $0.magnitude < Self.maxSample ? $0 : 0 }.withUnsafeBufferPointer {
            takeNumbers($0, rate: rate, channels: channels)
        }
    }

    /// True if there is anything but sound among the samples. Going through all of them is quicker than stopping at the
    /// first one.
    private static func hasOthers(_ samples: UnsafeBufferPointer<Float>) -> Bool {
        var others: UInt32 = 0
        for sample in samples { others |= sample.magnitude < maxSample ? 0 : 1 }
        return others != 0
    }

    /// No sound is louder; full scale is 1.
    private static let maxSample: Float = 1e6

    private func takeNumbers(_ samples: UnsafeBufferPointer<Float>, rate: Int, channels: Int) {
        if state == nil {
            let mode = Int32(EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_SAMPLE_PEAK.rawValue)
            state = ebur128_init(UInt32(channels), UInt(rate), mode)
            layout = (rate, channels)
        }
        guard let state, let start = samples.baseAddress else { return }
        if layout != (rate, channels) {
            guard ebur128_change_parameters(state, UInt32(channels), UInt(rate)) != EBUR128_ERROR_NOMEM.rawValue else {
                return
            }
            layout = (rate, channels)
        }
        _ = ebur128_add_frames_float(state, start, samples.count / channels)
    }

    /// Integrated loudness in LUFS; nil for silence, and for less than 400 ms.
    var loudness: Double? { value { ebur128_loudness_global($0, $1) }.flatMap { $0 > -70 ? $0 : nil } }

    /// Loudness range in LU; nil without loudness.
    var range: Double? { loudness == nil ? nil : value { ebur128_loudness_range($0, $1) } }

    /// The largest sample since the number of channels changed last, as a factor of full scale.
    var peak: Double? {
        guard let state else { return nil }
        return (0..<layout.channels).compactMap { channel in
            var peak = 0.0
            let isKnown = ebur128_sample_peak(state, UInt32(channel), &peak) == EBUR128_SUCCESS.rawValue
            return isKnown && peak.isFinite ? peak : nil
        }.max()
    }

    deinit { if state != nil { ebur128_destroy(&state) } }

    private func value(
        _ read: (UnsafeMutablePointer<ebur128_state>, UnsafeMutablePointer<Double>) -> Int32
    ) -> Double? {
        guard let state else { return nil }
        var value = 0.0
        return read(state, &value) == EBUR128_SUCCESS.rawValue && value.isFinite ? value : nil
    }
}
