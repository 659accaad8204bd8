import MusicModel
import Playback

/// The chunks of a DSF file.
/// - Source: Sony, DSF File Format Specification 1.01.
enum DSFChunks {
    static func read(_ source: HeaderBytes) throws(TrackError) -> DSDHeader {
        guard source.name(at: 28) == "fmt ", let size = source.little(at: 32, count: 8), (52...4096).contains(size),
            let coding = source.little(at: 44, count: 4), let channels = source.little(at: 52, count: 4),
            let rate = source.little(at: 56, count: 4), let bits = source.little(at: 60, count: 4),
            let samples = source.little(at: 64, count: 8), let block = source.little(at: 72, count: 4)
        else { throw TrackError("its header is damaged") }
        guard coding == 0
        else { throw TrackError("this kind of DSF can't be played: only uncompressed DSD can", isUndecodable: true) }
        guard bits == 1 || bits == 8, (1...65_536).contains(block) else { throw TrackError("its header is damaged") }
        let data = 28 + Int64(size)
        guard source.name(at: data) == "data", let extent = source.little(at: data + 4, count: 8)
        else { throw TrackError("its header is damaged") }
        let start = data + 12
        let told = Int64(clamping: extent).subtractingClamped(12)
        let there = source.size.map { min(told, $0 - start) } ?? told
        // Files that were cut off end within a block.
        let groups = there / (Int64(block).multipliedClamped(by: Int64(clamping: max(1, channels))))
        let length = min(
            Int64(clamping: samples / 8 + (samples % 8 == 0 ? 0 : 1)), groups.multipliedClamped(by: Int64(block)))
        var header = try DSDHeader(
            rate: rate, channels: channels, order: .blocks(Int(block)), isLowestBitFirst: bits == 1, start: start,
            length: length)
        if source.little(at: 48, count: 4) == UInt64(kindOfFronts), channels == 4 { header.speakers = fronts }
        return header
    }

    /// The one kind of channels that is none of `Speaker.layout`.
    static let kindOfFronts: Int64 = 5
    static let fronts: [Speaker] = [.frontLeft, .frontRight, .frontCenter, .lowFrequency]
}

/// The chunks of a DSDIFF file.
/// - Source: Philips, Direct Stream Digital Interchange File Format 1.5.
enum DSDIFFChunks {
    private static let maxTextLength = 4096
    private static let maxTagSize = 32 << 20

    static func read(_ source: HeaderBytes) throws(TrackError) -> DSDHeader {
        let chunks = source.longChunks(in: 16..<max(16, source.size ?? .max), isPadded: true)
        var properties: [String: Range<Int64>] = [:]
        if let part = chunks["PROP"], source.name(at: part.lowerBound) == "SND " {
            let inner = min(part.lowerBound + 4, part.upperBound)..<part.upperBound
            properties = source.longChunks(in: inner, isPadded: true)
        }
        let coding = properties["CMPR"].flatMap { source.name(at: $0.lowerBound) } ?? "DSD "
        if coding == "DST " || chunks["DST "] != nil {
            throw TrackError(
                "it is compressed as DST, which can't be played; convert it to DSF or uncompressed DSDIFF",
                isUndecodable: true)
        }
        guard coding == "DSD "
        else { throw TrackError("this kind of DSDIFF can't be played: only uncompressed DSD can", isUndecodable: true) }
        guard let rate = properties["FS  "].flatMap({ source.number(at: $0.lowerBound, count: 4) }),
            let layout = properties["CHNL"], let channels = source.number(at: layout.lowerBound, count: 2)
        else { throw TrackError("its header is damaged") }
        guard let sound = chunks["DSD "] else { throw TrackError("it holds no sound") }
        var header = try DSDHeader(
            rate: rate, channels: channels, order: .interleaved, isLowestBitFirst: false, start: sound.lowerBound,
            length: (sound.upperBound - sound.lowerBound) / Int64(clamping: max(1, channels)))
        header.speakers = speakers(source, layout, count: header.channels)
        header.tag = chunks["ID3 "].flatMap { $0.count > 10 && $0.count <= maxTagSize ? $0 : nil }
        let texts = chunks["DIIN"].map { source.longChunks(in: $0, isPadded: true) } ?? [:]
        header.title = texts["DITI"].flatMap { text(source, $0) }
        header.artist = texts["DIAR"].flatMap { text(source, $0) }
        return header
    }

    private static func speakers(_ source: HeaderBytes, _ layout: Range<Int64>, count: Int) -> [Speaker]? {
        let places = (0..<Int64(count)).map { layout.lowerBound + 2 + 4 * $0 }.filter { $0 + 4 <= layout.upperBound }
        let found = places.compactMap { source.name(at: $0).flatMap { speakers[$0] } }
        return Set(found).count == count ? found : nil
    }

    private static let speakers: [String: Speaker] = [
        "SLFT": .frontLeft, "SRGT": .frontRight, "MLFT": .frontLeft, "MRGT": .frontRight, "C   ": .frontCenter,
        "LFE ": .lowFrequency, "LS  ": .rearLeft, "RS  ": .rearRight,
    ]

    private static func text(_ source: HeaderBytes, _ body: Range<Int64>) -> String? {
        guard let count = source.number(at: body.lowerBound, count: 4), count > 0, count <= maxTextLength,
            Int64(count) <= body.upperBound - body.lowerBound - 4
        else { return nil }
        let bytes = source.bytes(at: body.lowerBound + 4, count: Int(count))
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}

extension HeaderBytes {
    private static let maxChunks = 256

    /// Where the contents of chunks with sizes of 64 bits lie in a part of the file, by their names: of those of one
    /// name the first. One that says it is longer than the part ends with it.
    /// - Parameter last: the name of the chunk behind which nothing is asked for, as it may be still to arrive.
    func longChunks(in part: Range<Int64>, upTo last: String? = nil, isPadded: Bool = false) -> [String: Range<Int64>] {
        var chunks: [String: Range<Int64>] = [:]
        var place = part.lowerBound
        for _ in 0..<Self.maxChunks {
            guard place <= part.upperBound - 12, let name = name(at: place), let size = number(at: place + 4, count: 8)
            else { break }
            let start = place + 12
            let end = min(start.addingClamped(Int64(clamping: size)), part.upperBound)
            if chunks[name] == nil { chunks[name] = start..<end }
            if name == last { break }
            place = isPadded ? end.addingClamped(end % 2) : end
        }
        return chunks
    }
}
