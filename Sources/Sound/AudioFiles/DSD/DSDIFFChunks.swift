import MusicModel
import Playback

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
