import Glibc
import MusicModel

/// The ID3 tag of a file, for what GStreamer 1.22 does not read of it.
/// - Source: ID3 tag version 2.3.0 and 2.4.0, main structure and native frames.
struct ID3Tag {
    struct Frame: Equatable {
        let name: String
        let body: [UInt8]
    }

    private(set) var frames: [Frame] = []

    /// Reads the frames of these names from a whole file; nil where no tag or version is known.
    /// - Parameter largest: in bytes; larger frames are passed over, as those with pictures.
    init?(_ source: HeaderBytes, frames wanted: Set<String>, largest: Int = 1 << 20) {
        guard let place = ID3Frames.place(in: source),
            let tag = ID3Frames(source, at: place.lowerBound, before: place.upperBound), tag.version >= 3
        else { return nil }
        for frame in tag.prefix(ID3Bounds.maxFrames) where wanted.contains(frame.name) && tag.isPlain(frame) {
            guard !frame.body.isEmpty, frame.body.count <= largest else { continue }
            frames.append(Frame(name: frame.name, body: tag.meant(frame)))
        }
    }
}

extension ID3Tag {
    /// The cue sheet of a whole disc, as foobar2000 writes it into a frame of its own; nil without one.
    var cueSheet: CueSheet? {
        let texts = frames.lazy.filter { $0.name == "TXXX" }.map(\.texts)
        return CueSheet(tag: texts.first { $0.count > 1 && $0[0].uppercased() == "CUESHEET" }?[1])
    }
}

extension ID3Tag.Frame {
    /// The texts of a frame of text, which zeros divide; behind the description in `TXXX`.
    var texts: [String] {
        guard let encoding = body.first else { return [] }
        return Self.texts(body.dropFirst(), encoding: encoding)
    }

    var lyrics: String? {
        guard let encoding = body.first, body.count > 4 else { return nil }
        let parts = Self.texts(body.dropFirst(4), encoding: encoding, atMost: 2)
        return parts.count == 2 ? parts[1] : nil
    }

    private static func texts(_ bytes: ArraySlice<UInt8>, encoding: UInt8, atMost limit: Int = 256) -> [String] {
        switch encoding {
        case 0, 3:
            return bytes.split(separator: 0, maxSplits: limit - 1, omittingEmptySubsequences: false).map { part in
                encoding == 3 ? String(decoding: part, as: UTF8.self) : latin(part)
            }
        default:
            let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { (bytes[$0], bytes[$0 + 1]) }
            let usual: [UInt8] = encoding == 2 ? [0xFE, 0xFF] : [0xFF, 0xFE]
            return units.split(maxSplits: limit - 1, omittingEmptySubsequences: false) { $0 == (0, 0) }.map { part in
                let isMarked = part.first.map { $0 == (0xFE, 0xFF) || $0 == (0xFF, 0xFE) } ?? false
                return TextDecoding.text((isMarked ? [] : usual) + part.flatMap { [$0.0, $0.1] })
            }
        }
    }

    /// A text that says it is Latin-1, which has always been the charset of the machine; see
    /// `AudioFileReader.useLegacyCharset`.
    private static func latin(_ bytes: ArraySlice<UInt8>) -> String {
        if let charset { return TextDecoding.text(Array(bytes), charset: charset) }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static let charset = getenv(AudioFileReader.charsetVariable).map { String(cString: $0) }
}
