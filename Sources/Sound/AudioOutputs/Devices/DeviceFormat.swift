import AudioFiles
import CSound
import MusicModel
import Outputs

final class DeviceFormats {
    private let caps: UnsafeMutablePointer<GstCaps>
    /// True if whole numbers of 32 bits come before floats, of which the device would make such anyway.
    private let prefersIntegers: Bool

    init?(_ sink: ElementReference, prefersIntegers: Bool = false) {
        guard let pad = gst_element_get_static_pad(sink.pointer, "sink") else { return nil }
        defer { segue_unref(pad) }
        guard let caps = gst_pad_query_caps(pad, nil) else { return nil }
        (self.caps, self.prefersIntegers) = (caps, prefersIntegers)
    }

    init?(_ text: String, prefersIntegers: Bool = false) {
        guard let caps = gst_caps_from_string(text) else { return nil }
        (self.caps, self.prefersIntegers) = (caps, prefersIntegers)
    }

    deinit { segue_caps_unref(caps) }

    /// The format closest to the song's, or to the wanted one where that says something; nil if none is known.
    /// The song's own rate comes first, so that its samples stay as they are; else it gets what holds most of it.
    func best(for layout: SampleLayout, wanted: AudioFormat?) -> AudioFormat? {
        let wished = wanted.filled(layout)
        for rate in [wished.sampleRate] + nearestRates(wished.sampleRate) {
            for channels in Self.channelCounts(wished.channels) {
                if let sample = sample(rate, channels, wanted?.sample) {
                    return AudioFormat(sampleRate: rate, sample: sample, channels: channels)
                }
            }
        }
        return nil
    }

    /// The numbers of channels that suit a song, the best first: one in surround loses nothing to more speakers.
    private static func channelCounts(_ channels: Int) -> [Int] {
        guard channels > 2 else { return [channels, 2, 1] }
        return Array(channels...max(channels, Speaker.maxChannels)) + (1..<channels).reversed()
    }

    /// A format as caps for the device, which may have its surround speakers at the sides or behind.
    func capsText(_ format: AudioFormat) -> String? {
        guard let text = format.capsText, format.channels > 2 else { return format.capsText }
        let sides = Speaker.layout(channels: format.channels).map { speaker -> Speaker in
            switch speaker {
            case .rearLeft: .sideLeft
            case .rearRight: .sideRight
            default: speaker
            }
        }
        guard format.channels < 7, !takes(text), let plain = format.capsText(sides), takes(plain) else { return text }
        return plain
    }

    private func takes(_ text: String) -> Bool {
        guard let asked = gst_caps_from_string(text) else { return false }
        defer { segue_caps_unref(asked) }
        return gst_caps_can_intersect(caps, asked) != 0
    }

    /// The format in which the device gets DoP bit by bit; nil if it has none of that rate.
    func carrier(for layout: SampleLayout, wanted: AudioFormat?) -> AudioFormat? {
        let samples = Self.carriers.filter { $0.sample == wanted?.sample } + Self.carriers
        return samples.first { takes($0.name, layout.rate, layout.channels) }.map {
            AudioFormat(sampleRate: layout.rate, sample: $0.sample, channels: layout.channels)
        }
    }

    /// Samples that hold 24 bits for sure: what is called a float here reaches the device as 24 bits in 32.
    private static let carriers: [(name: String, sample: AudioFormat.Sample)] = [
        ("S32LE", .integer(bits: 32)), ("S24_32LE", .float), ("S24LE", .integer(bits: 24)),
    ]

    private func sample(_ rate: Int, _ channels: Int, _ wanted: AudioFormat.Sample?) -> AudioFormat.Sample? {
        let first = Self.names.filter { $0.sample == wanted }
        let whole = prefersIntegers ? Self.names.filter { $0.sample == .integer(bits: 32) } : []
        return (first + whole + Self.names).first { takes($0.name, rate, channels) }?.sample
    }

    /// The names that GStreamer has for samples, those that hold most first. 24 bits in 32 the converter element makes.
    private static let names: [(name: String, sample: AudioFormat.Sample)] = [
        ("F32LE", .float), ("S32LE", .integer(bits: 32)), ("S24_32LE", .float), ("S24LE", .integer(bits: 24)),
        ("S16LE", .integer(bits: 16)),
    ]

    private func takes(_ name: String, _ rate: Int, _ channels: Int) -> Bool {
        takes("audio/x-raw,layout=interleaved,format=\(name),rate=\(rate),channels=\(channels)")
    }

    private func nearestRates(_ rate: Int) -> [Int] {
        let usual = AllowedFormats.usualRates.filter { takes("audio/x-raw,rate=\($0)") }
        let near = (0..<gst_caps_get_size(caps)).compactMap { index -> Int? in
            guard let structure = gst_caps_get_structure(caps, index), let copy = gst_structure_copy(structure) else {
                return nil
            }
            defer { gst_structure_free(copy) }
            var nearest: gint = 0
            gst_structure_fixate_field_nearest_int(copy, "rate", gint(rate))
            return gst_structure_get_int(copy, "rate", &nearest) != 0 && nearest > 0 ? Int(nearest) : nil
        }
        return AllowedFormats.ordered(usual + near, for: rate)
    }
}

extension AudioFormat {
    /// The words for a device that gets this format in place of the wanted one; nil where it is as good.
    func compromise(for wanted: AudioFormat) -> String? {
        holds(wanted) ? nil : "gets \(wireText), because the device doesn't take \(wanted.wireText)"
    }

    /// True if it has what the wanted format says; more bits are as good, and a float stands for 24 bits in 32.
    private func holds(_ wanted: AudioFormat) -> Bool {
        guard [0, sampleRate].contains(wanted.sampleRate), [0, channels].contains(wanted.channels) else { return false }
        guard case .integer(let bits) = sample else { return true }
        guard case .integer(let least) = wanted.sample else { return wanted.sample == .unknown }
        return bits >= least
    }
}
