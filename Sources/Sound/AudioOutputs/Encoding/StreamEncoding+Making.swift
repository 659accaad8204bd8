package import AudioFiles
package import MusicModel
import Outputs

extension StreamEncoding {
    /// The kind of bytes that come out, as HTTP names it.
    package func contentType(inOgg: Bool) -> String {
        encoder == .flac && inOgg ? "audio/ogg" : String(mimeType.prefix { $0 != ";" })
    }

    /// True if the stream itself names what plays, by starting a new chapter with each title.
    package func hasChapters(inOgg: Bool) -> Bool { contentType(inOgg: inOgg) == "audio/ogg" }

    /// The format that the encoder is given: the wished one as far as it takes it, else the song's.
    /// - Parameter source: what the song's samples are; with more than 16 bits they stay so where nothing is lost.
    package func format(_ wished: AudioFormat?, for layout: SampleLayout, source: AudioFormat.Sample = .unknown)
        -> AudioFormat
    {
        var format = wished.filled(layout, Self.recorded(source))
        let rate = format.sampleRate
        format.channels = min(encoder.maxChannels, format.channels)
        switch encoder {
        case .wave: break
        case .flac: format.sample = .integer(bits: format.sample == .integer(bits: 16) ? 16 : 24)
        case .opus: (format.sampleRate, format.sample) = (48000, .integer(bits: 16))
        case .vorbis: (format.sampleRate, format.sample) = (min(rate, 192_000), .float)
        case .mp3:
            format.sampleRate = [32000, 44100, 48000].contains(rate) ? rate : rate % 48000 == 0 ? 48000 : 44100
            format.sample = .integer(bits: 16)
        }
        return format
    }

    /// The format that holds a song's samples; for those of an encoding with loss 16 bits, dithered, are enough.
    private static func recorded(_ source: AudioFormat.Sample) -> AudioFormat.Sample {
        switch source {
        case .integer(let bits) where bits > 24: .integer(bits: 32)
        case .integer(let bits) where bits > 16: .integer(bits: 24)
        case .dsd: .integer(bits: 24)
        default: .integer(bits: 16)
        }
    }

    /// Starts the encoder; in a file tags may lie before the sound.
    func makeEncoder(
        _ format: AudioFormat, inOgg: Bool, tags: [TagValue], isFile: Bool = false
    ) throws(OutputProblem) -> any SoundEncoder {
        // Pages of a fifth of a second: listeners hear soon, and the container takes little.
        let ogg = " ! oggmux max-delay=0 max-page-delay=200000000"
        switch encoder {
        case .wave: return WaveEncoder(format)
        case .flac:
            return try GStreamerEncoder(
                "flacenc" + (inOgg ? ogg : ""), elements: ["flacenc"] + (inOgg ? ["oggmux"] : []), format: format,
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

extension String {
    /// The text without control characters, which would end a line or a header.
    var withoutControls: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
}
