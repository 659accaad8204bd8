package import AudioFiles
package import MusicModel
package import Outputs

/// Sound as listeners get it: converted and encoded, in chapters where the container has such.
///
/// - Isolation: one thread, which may wait.
package final class EncodedStream {
    /// The format that the encoder is given.
    let format: AudioFormat
    private let encoding: StreamEncoding
    private let inOgg: Bool
    private var converter: SampleConverter?
    private var encoder: (any SoundEncoder)?
    private var tags: [TagValue] = []

    /// Prepares a stream; it begins with the first sound.
    package init(_ encoding: StreamEncoding, inOgg: Bool, format: AudioFormat) {
        self.encoding = encoding
        self.inOgg = inOgg
        self.format = format
    }

    /// Encodes sound and gives what is ready.
    package func write(_ samples: [Float], _ layout: SampleLayout) throws(OutputProblem) -> [EncodedPiece] {
        if converter == nil { converter = SampleConverter(to: format) }
        guard let converter else { throw OutputProblem("the format \(format.wireText) is not supported") }
        return try encode(converter.convert(samples, layout))
    }

    private func encode(_ bytes: [UInt8]) throws(OutputProblem) -> [EncodedPiece] {
        guard !bytes.isEmpty else { return [] }
        let running: any SoundEncoder
        if let encoder {
            running = encoder
        } else {
            running = try encoding.makeEncoder(format, inOgg: inOgg, tags: tags)
            encoder = running
        }
        try running.push(bytes)
        return try running.take()
    }

    /// The bytes that have become ready since.
    func take() throws(OutputProblem) -> [EncodedPiece] { try encoder?.take() ?? [] }

    /// Ends the chapter, whose rest this gives; the next sound starts one with these tags.
    package func startChapter(_ tags: [TagValue]) -> [EncodedPiece] {
        self.tags = tags
        defer { encoder = nil }
        return encoder?.finish() ?? []
    }

    /// Ends the stream and gives its rest.
    package func finish() -> [EncodedPiece] {
        var pieces: [EncodedPiece] = []
        if let rest = converter?.finish(), let ready = try? encode(rest) { pieces = ready }
        defer { (converter, encoder) = (nil, nil) }
        return pieces + (encoder?.finish() ?? [])
    }
}
