/// How an output encodes its sound.
package struct StreamEncoding: Hashable, Sendable {
    /// The encoders; the raw value is the configuration's `encoder`.
    package enum Encoder: String, CaseIterable, Hashable, Sendable {
        /// Samples as they are, with a WAV header.
        case wave
        /// FLAC: lossless.
        case flac
        /// Opus in Ogg.
        case opus
        /// Vorbis in Ogg.
        case vorbis
        /// MP3 without a container.
        case mp3
    }

    /// The MIME type by which browsers tell whether they can play the stream.
    package var mimeType: String {
        switch encoder {
        case .wave: "audio/wav"
        case .flac: "audio/flac"
        case .opus: "audio/ogg; codecs=opus"
        case .vorbis: "audio/ogg; codecs=vorbis"
        case .mp3: "audio/mpeg"
        }
    }

    /// The codec and its container.
    package var encoder: Encoder
    /// Bits a second, in kbit/s; nil leaves it to the encoder's default. For `opus`, `vorbis` and `mp3`.
    package var bitRate: Int?
    /// Vorbis: -1 (small) to 10 (best); nil when the bit rate counts, or the default.
    package var quality: Double?

    /// Chooses an encoder.
    package init(_ encoder: Encoder, bitRate: Int? = nil, quality: Double? = nil) {
        (self.encoder, self.bitRate, self.quality) = (encoder, bitRate, quality)
    }

    /// The encoding that an output of a type usually has.
    package static func usual(for type: OutputSpecification.Kind, path: String?) -> StreamEncoding {
        type == .file ? ofFile(path ?? "") : StreamEncoding(type.encoder ?? .wave)
    }

    /// The encoding that a file's name asks for.
    package static func ofFile(_ path: String) -> StreamEncoding {
        let endings: [(String, Encoder)] = [
            (".flac", .flac), (".opus", .opus), (".ogg", .vorbis), (".oga", .vorbis), (".mp3", .mp3),
        ]
        let name = path.lowercased()
        return StreamEncoding(endings.first { name.hasSuffix($0.0) }?.1 ?? .wave)
    }
}
