import MusicModel
import Playback

/// The chunks of a DSDIFF file.
/// - Source: Philips, Direct Stream Digital Interchange File Format 1.5.
struct DSDIFFChunks {
    private let source: HeaderBytes
    private var rate: UInt64?
    private var channels: UInt64?
    private var speakers: [Speaker]?
    private var sound: Range<Int64>?
    private var tag: Range<Int64>?
    private var texts = DSDHeader.Texts()

    private static let maxChunks = 64
    private static let maxTextLength = 4096
    private static let maxTagSize: Int64 = 32 << 20

    static func read(_ source: HeaderBytes) throws(TrackError) -> DSDHeader {
        var chunks = DSDIFFChunks(source: source)
        let end = source.size ?? .max
        for chunk in chunks.list(16..<max(16, end)) { try chunks.take(chunk) }
        guard let rate = chunks.rate, let channels = chunks.channels else { throw TrackError("its header is damaged") }
        guard let sound = chunks.sound else { throw TrackError("it holds no sound") }
        var header = try DSDHeader(
            rate: rate, channels: channels, order: .interleaved, isLowestBitFirst: false, start: sound.lowerBound,
            length: (sound.upperBound - sound.lowerBound) / Int64(clamping: max(1, channels)))
        (header.speakers, header.tag, header.texts) = (chunks.speakers, chunks.tag, chunks.texts)
        return header
    }

    private init(source: HeaderBytes) { self.source = source }

    private typealias Chunk = (name: String, body: Range<Int64>)

    /// The chunks that lie in a part of the file; one that says it is longer than that part ends with it.
    private func list(_ part: Range<Int64>) -> [Chunk] {
        var chunks: [Chunk] = []
        var place = part.lowerBound
        while chunks.count < Self.maxChunks, place <= part.upperBound - 12, let name = source.name(at: place),
            let size = source.number(at: place + 4, count: 8)
        {
            let start = place + 12
            let end = min(start.addingClamped(Int64(clamping: size)), part.upperBound)
            chunks.append((name, start..<end))
            place = end.addingClamped(end % 2)
        }
        return chunks
    }

    private mutating func take(_ chunk: Chunk) throws(TrackError) {
        let start = chunk.body.lowerBound
        switch chunk.name {
        case "PROP" where source.name(at: start) == "SND ":
            for part in list(min(start + 4, chunk.body.upperBound)..<chunk.body.upperBound) { try take(property: part) }
        case "DSD ": sound = sound ?? chunk.body
        case "DST ": throw Self.compressed
        case "ID3 ":
            let size = chunk.body.upperBound - start
            if size > 10, size <= Self.maxTagSize, tag == nil { tag = chunk.body }
        case "DIIN":
            for part in list(chunk.body) {
                if part.name == "DITI" { texts.title = text(part.body) }
                if part.name == "DIAR" { texts.artist = text(part.body) }
            }
        default: break
        }
    }

    private mutating func take(property chunk: Chunk) throws(TrackError) {
        let start = chunk.body.lowerBound
        switch chunk.name {
        case "FS  ": rate = source.number(at: start, count: 4)
        case "CHNL":
            channels = source.number(at: start, count: 2)
            speakers = channels.flatMap { speakers(at: start + 2, count: $0, before: chunk.body.upperBound) }
        case "CMPR":
            guard let coding = source.name(at: start), coding != "DSD " else { return }
            throw coding == "DST "
                ? Self.compressed
                : TrackError("this kind of DSDIFF can't be played: only uncompressed DSD can", isUndecodable: true)
        default: break
        }
    }

    private func speakers(at start: Int64, count: UInt64, before end: Int64) -> [Speaker]? {
        guard let count = Int(exactly: count), DSDHeader.channels.contains(count) else { return nil }
        let found = (0..<count).compactMap { (index: Int) -> Speaker? in
            let place = start + Int64(4 * index)
            return place + 4 <= end ? source.name(at: place).flatMap { Self.speakers[$0] } : nil
        }
        return found.count == count && Set(found).count == count ? found : nil
    }

    private static let speakers: [String: Speaker] = [
        "SLFT": .frontLeft, "SRGT": .frontRight, "MLFT": .frontLeft, "MRGT": .frontRight, "C   ": .frontCenter,
        "LFE ": .lowFrequency, "LS  ": .rearLeft, "RS  ": .rearRight,
    ]

    private static let compressed = TrackError(
        "it is compressed as DST, which can't be played; convert it to DSF or uncompressed DSDIFF", isUndecodable: true)

    private func text(_ body: Range<Int64>) -> String? {
        guard let count = source.number(at: body.lowerBound, count: 4), count > 0, count <= Self.maxTextLength,
            Int64(count) <= body.upperBound - body.lowerBound - 4
        else { return nil }
        let bytes = source.bytes(at: body.lowerBound + 4, count: Int(count))
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}
