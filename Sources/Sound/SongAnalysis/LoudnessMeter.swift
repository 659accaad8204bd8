import CEBUR128

/// Measures loudness as EBU R 128 has it, by libebur128: of a whole song, and of each twentieth of a second.
/// - Isolation: one thread at a time.
final class LoudnessMeter {
    private static let maxSample: Float = 1e6

    private var state: UnsafeMutablePointer<ebur128_state>?
    private var layout: (rate: Int, channels: Int) = (0, 0)
    /// Frames of the present twentieth of a second.
    private var filled = 0
    private(set) var ramps = RampMeter()

    deinit { if state != nil { ebur128_destroy(&state) } }

    /// Takes samples in; what are no numbers is silence, and what libebur128 can't take is left out, as without memory.
    func take(_ samples: UnsafeBufferPointer<Float>, rate: Int, channels: Int) {
        // Going through all of them is quicker than stopping at the first one, which would leave no loudness at all.
        var others: UInt32 = 0
        for sample in samples { others |= sample.magnitude < Self.maxSample ? 0 : 1 }
        guard others != 0 else { return takeNumbers(samples, rate: rate, channels: channels) }
        samples.map { $0.magnitude < Self.maxSample ? $0 : 0 }.withUnsafeBufferPointer {
            takeNumbers($0, rate: rate, channels: channels)
        }
    }

    private func takeNumbers(_ samples: UnsafeBufferPointer<Float>, rate: Int, channels: Int) {
        if state == nil {
            let mode = Int32(EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_SAMPLE_PEAK.rawValue)
            state = ebur128_init(UInt32(channels), UInt(rate), mode)
            layout = (rate, channels)
        }
        guard let state, let start = samples.baseAddress else { return }
        if layout != (rate, channels) {
            guard ebur128_change_parameters(state, UInt32(channels), UInt(rate)) != EBUR128_ERROR_NOMEM.rawValue
            else { return }
            (layout, filled) = ((rate, channels), 0)
        }
        let (frames, piece) = (samples.count / channels, max(1, rate / 20))
        var done = 0
        while done < frames {
            let count = min(frames - done, piece - filled)
            _ = ebur128_add_frames_float(state, start + done * channels, count)
            (done, filled) = (done + count, filled + count)
            guard filled == piece else { continue }
            filled = 0
            // One channel is heard on both sides.
            ramps.take((value { ebur128_loudness_window($0, 50, $1) } ?? -.infinity) + (channels == 1 ? 3.01 : 0))
        }
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

    private func value(
        _ read: (UnsafeMutablePointer<ebur128_state>, UnsafeMutablePointer<Double>) -> Int32
    ) -> Double? {
        guard let state else { return nil }
        var value = 0.0
        return read(state, &value) == EBUR128_SUCCESS.rawValue && value.isFinite ? value : nil
    }
}
