import MusicModel

/// The chunks of a WAV, RF64, BW64, AIFF or AIFF-C file, in which sound, tags and texts lie one behind another.
/// - Source: Multimedia Programming Interface 1.0 (RIFF), EBU Tech 3306 (RF64), ITU-R BS.2088 (BW64), Apple's AIFF 1.3.
struct SoundChunks {
    typealias Chunk = (name: String, body: Range<Int64>)

    private static let maxCount = 256
    private static let maxTextLength: Int64 = 64 << 10
    /// The size of sound that is too long for 32 bits, or whose length its writer never knew.
    private static let unknownSize: Int64 = 0xFFFF_FFFF

    /// The first 256 chunks; one that says it is longer than the file ends with it.
    private(set) var chunks: [Chunk] = []
    private let source: HeaderBytes
    private let isBigEndian: Bool

    /// Reads where the chunks lie; nil for any other kind of file.
    /// - Parameter last: the name of the chunk behind which nothing is asked for, as it may be still to arrive.
    init?(_ source: HeaderBytes, upTo last: String? = nil) {
        guard let size = source.size, let form = source.name(at: 0), let kind = source.name(at: 8) else { return nil }
        switch (form, kind) {
        case ("RIFF", "WAVE"), ("RF64", "WAVE"), ("BW64", "WAVE"): isBigEndian = false
        case ("FORM", "AIFF"), ("FORM", "AIFC"): isBigEndian = true
        default: return nil
        }
        self.source = source
        chunks = list(12..<max(12, size), upTo: last)
    }

    /// Where a file's chunks end, if more follows that is none: a byte that fills up, an empty chunk, or what a player
    /// put there. Demuxers take it for a chunk, and fail.
    static func end(in source: HeaderBytes) -> Int64? {
        guard source.isComplete, let size = source.size, let found = SoundChunks(source),
            let sound = found.chunks.firstIndex(where: { ["data", "SSND"].contains($0.name) }),
            !found.chunks[sound].body.isEmpty, found.chunks.count < maxCount
        else { return nil }
        var end = found.chunks[sound].body.upperBound
        for chunk in found.chunks[(sound + 1)...] {
            guard chunk.name.unicodeScalars.allSatisfy({ (" "..."~").contains($0) }), !chunk.body.isEmpty,
                found.number(at: chunk.body.lowerBound - 4) == Int64(chunk.body.count)
            else { break }
            end = chunk.body.upperBound
        }
        return end < size ? end : nil
    }

    func body(_ names: String...) -> Range<Int64>? { chunks.first { names.contains($0.name) }?.body }

    func information(_ name: String) -> String? {
        for chunk in chunks where chunk.name == "LIST" && source.name(at: chunk.body.lowerBound) == "INFO" {
            let texts = list(min(chunk.body.lowerBound + 4, chunk.body.upperBound)..<chunk.body.upperBound)
            guard let found = texts.first(where: { $0.name == name }) else { continue }
            let bytes = source.bytes(at: found.body.lowerBound, count: Int(min(4096, Int64(found.body.count))))
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return nil
    }

    /// A text of its own in an AIFF file, up to its zero; nil without one, or without a sign in it.
    /// - Parameter charset: that of a text which is no Unicode.
    func text(_ name: String, charset: String) -> String? {
        guard isBigEndian, let range = body(name) else { return nil }
        let bytes = source.bytes(at: range.lowerBound, count: Int(min(Self.maxTextLength, Int64(range.count))))
        let text = TextDecoding.text(Array(bytes.prefix { $0 != 0 }), charset: charset)
        return text.contains { !$0.isWhitespace } ? text : nil
    }

    private func list(_ part: Range<Int64>, upTo last: String? = nil) -> [Chunk] {
        var found: [Chunk] = []
        var sizeOfSound: Int64?
        var offset = part.lowerBound
        while found.count < Self.maxCount, offset <= part.upperBound - 8, let name = source.name(at: offset),
            var size = number(at: offset + 4)
        {
            let start = offset + 8
            if name == "ds64" { sizeOfSound = source.little(at: start + 8, count: 8).map { Int64(clamping: $0) } }
            if name == "data", size == Self.unknownSize, let sizeOfSound { size = sizeOfSound }
            let end = min(start.addingClamped(size), part.upperBound)
            found.append((name, start..<end))
            if name == last { break }
            offset = end.addingClamped(size % 2)
        }
        return found
    }

    private func number(at offset: Int64) -> Int64? {
        (isBigEndian ? source.number(at: offset, count: 4) : source.little(at: offset, count: 4)).map { Int64($0) }
    }
}
