package import AudioFiles
package import MusicModel
package import Outputs

/// Sound as listeners get it: converted and encoded, in chapters where the container has such.
/// - Isolation: one thread, which may wait.
package final class EncodedStream {
    let format: AudioFormat
    private let encoding: StreamEncoding
    private let inOgg: Bool
    private var converter: SampleConverter?
    private var encoder: (any SoundEncoder)?
    private var tags: [TagValue] = []

    /// Prepares a stream; it begins with the first sound.
    package init(_ encoding: StreamEncoding, inOgg: Bool, format: AudioFormat) {
        (self.encoding, self.inOgg, self.format) = (encoding, inOgg, format)
    }

    /// Encodes sound and gives what is ready.
    package func write(_ samples: [Float], _ layout: SampleLayout) throws(OutputProblem) -> [EncodedPiece] {
        if converter == nil { converter = try SampleConverter(to: format) }
        return try encode(converter?.convert(samples, layout) ?? [])
    }

    private func encode(_ bytes: [UInt8]) throws(OutputProblem) -> [EncodedPiece] {
        guard !bytes.isEmpty else { return [] }
        if encoder == nil { encoder = try encoding.makeEncoder(format, inOgg: inOgg, tags: tags) }
        try encoder?.push(bytes)
        return try take()
    }

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

struct TitleFollower {
    private let isFollowing: Bool
    private(set) var tags: [TagValue] = []

    init(isFollowing: Bool) { self.isFollowing = isFollowing }

    /// The tags of the block when they are not those of the block before.
    mutating func newTags(of block: SampleBlock) -> [TagValue]? {
        guard isFollowing, !block.tags.isEmpty, block.tags != tags else { return nil }
        tags = block.tags
        return tags
    }
}
