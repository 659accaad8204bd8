package import AudioFiles
package import MusicModel
import Outputs

/// The handling of sound with an encoding.
extension StreamEncoding {
    /// The kind of bytes that come out, as HTTP names it.
    package func contentType(inOgg: Bool) -> String {
        switch encoder {
        case .wave: "audio/wav"
        case .flac: inOgg ? "audio/ogg" : "audio/flac"
        case .opus, .vorbis: "audio/ogg"
        case .mp3: "audio/mpeg"
        }
    }

    /// True if the stream itself names what plays, by starting a new chapter with each title.
    package func hasChapters(inOgg: Bool) -> Bool {
        switch encoder {
        case .opus, .vorbis: true
        case .flac: inOgg
        case .wave, .mp3: false
        }
    }

    /// The format that the encoder is given: the wished one as far as it takes it, else the song's.
    ///
    /// - Parameter source: what the song's samples are; with more than 16 bits they stay so where nothing is lost.
    package func format(_ wished: AudioFormat?, for layout: SampleLayout, source: AudioFormat.Sample = .unknown)
        -> AudioFormat
    {
        let rate = wished.map(\.sampleRate).flatMap { $0 > 0 ? $0 : nil } ?? layout.rate
        let sample = wished.map(\.sample).flatMap { $0 == .unknown ? nil : $0 } ?? Self.recorded(source)
        let channels = min(
            encoder.maxChannels, wished.map(\.channels).flatMap { $0 > 0 ? $0 : nil } ?? layout.channels)
        switch encoder {
        case .wave: return AudioFormat(sampleRate: rate, sample: sample, channels: channels)
        case .flac:
            let isDeep = sample != .integer(bits: 16)
            return AudioFormat(sampleRate: rate, sample: .integer(bits: isDeep ? 24 : 16), channels: channels)
        case .opus: return AudioFormat(sampleRate: 48000, sample: .integer(bits: 16), channels: channels)
        case .vorbis:
            return AudioFormat(sampleRate: min(rate, 192_000), sample: .float, channels: channels)
        case .mp3:
            let near = [32000, 44100, 48000].contains(rate) ? rate : rate % 48000 == 0 ? 48000 : 44100
            return AudioFormat(sampleRate: near, sample: .integer(bits: 16), channels: channels)
        }
    }

    /// The format that holds a song's samples. Those of an encoding with loss have no bits; 16 of them, dithered, lose
    /// nothing heard.
    private static func recorded(_ source: AudioFormat.Sample) -> AudioFormat.Sample {
        switch source {
        case .integer(let bits) where bits > 24: .integer(bits: 32)
        case .integer(let bits) where bits > 16: .integer(bits: 24)
        case .dsd: .integer(bits: 24)
        default: .integer(bits: 16)
        }
    }

    /// Starts the encoder.
    ///
    /// - Parameter isFile: whether tags may lie before the sound, as in a file; streams tell titles otherwise.
    func makeEncoder(
        _ format: AudioFormat, inOgg: Bool, tags: [TagValue], isFile: Bool = false
    ) throws(OutputProblem) -> any SoundEncoder {
        // Pages of a fifth of a second: listeners hear soon, and the container takes little.
        let ogg = " ! oggmux max-delay=0 max-page-delay=200000000"
        switch encoder {
        case .wave: return WaveEncoder(format)
        case .flac:
            return try GStreamerEncoder(
                "flacenc" + (inOgg ? ogg : ""), elements: inOgg ? ["flacenc", "oggmux"] : ["flacenc"], format: format,
                tags: tags)
        case .opus:
            return try GStreamerEncoder(
                "opusenc bitrate=\((bitRate ?? 128) * 1000) audio-type=generic\(ogg)", elements: ["opusenc", "oggmux"],
                format: format, tags: tags)
        case .vorbis:
            let rate = bitRate.map { "bitrate=\($0 * 1000)" } ?? "quality=\(max(-1, min(10, quality ?? 5)) / 10)"
            return try GStreamerEncoder(
                "vorbisenc \(rate)\(ogg)", elements: ["vorbisenc", "oggmux"], format: format, tags: tags)
        case .mp3:
            let isTagged = isFile && !tags.isEmpty && GStreamerLibrary.has("id3v2mux")
            return try GStreamerEncoder(
                "lamemp3enc target=bitrate cbr=true bitrate=\(bitRate ?? 192)" + (isTagged ? " ! id3v2mux" : ""),
                elements: ["lamemp3enc"], format: format, tags: isTagged ? tags : [])
        }
    }

    /// About how many bytes a second come out, at most.
    func bytesPerSecond(_ format: AudioFormat) -> Int {
        switch encoder {
        case .wave, .flac: format.sampleRate * format.channels * 4
        case .opus, .vorbis, .mp3: max(20_000 * max(2, format.channels), (bitRate ?? 0) * 125)
        }
    }
}

extension [TagValue] {
    /// The title in a line: artist and title, or the station's name.
    package var line: String {
        func value(_ tag: Tag) -> String? { first { $0.tag == tag && !$0.value.isEmpty }?.value }
        let parts = [value(.artist), value(.title)].compactMap { $0 }
        return parts.isEmpty ? value(.name) ?? "" : parts.joined(separator: " - ")
    }
}
