import MusicModel

/// Type and size of a picture, by its own header, and the parts of the file that a decoder may see. A file that
/// decoders could read in two ways has no header: what they would make of it is not known.
/// - Source: ITU-T T.81 (JPEG), the W3C's PNG specification, and the WebP container specification.
struct PictureHeader: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
        case jpeg
        case png
        case webp

        var mimeType: String { "image/\(rawValue)" }
        var decoder: String { "\(rawValue)dec" }
    }

    let kind: Kind
    let width: Int
    let height: Int
    let hasAlpha: Bool
    let cost: PictureCost
    /// Where the bytes are that a decoder needs: no texts, which could unfold to gigabytes, nor what is behind the end.
    let parts: [Range<Int>]

    init?(_ bytes: [UInt8]) {
        func has(_ prefix: [UInt8], at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: prefix) }
        if has(PNGChunks.signature) {
            self.init(PNGChunks(bytes))
        } else if has([0xFF, 0xD8, 0xFF]) {
            self.init(JPEGSegments(bytes))
        } else if has(Array("RIFF".utf8)), has(Array("WEBP".utf8), at: 8) {
            self.init(webp: bytes)
        } else {
            return nil
        }
    }

    init?(_ kind: Kind, _ width: Int, _ height: Int, hasAlpha: Bool = false, cost: PictureCost, parts: [Range<Int>]) {
        guard (1...65535).contains(width), (1...65535).contains(height) else { return nil }
        (self.kind, self.width, self.height, self.hasAlpha) = (kind, width, height, hasAlpha)
        (self.cost, self.parts) = (cost, parts)
    }

    private init?(_ chunks: PNGChunks?) {
        guard let chunks else { return nil }
        let cost = PictureCost(frame: PictureCost.plane(chunks.width, chunks.height, depth: chunks.isDeep ? 8 : 4))
        self.init(.png, chunks.width, chunks.height, hasAlpha: chunks.hasAlpha, cost: cost, parts: chunks.essential)
    }

    private init?(_ segments: JPEGSegments?) {
        guard let segments, let frame = segments.frame else { return nil }
        self.init(.jpeg, frame.width, frame.height, cost: segments.cost(of: frame), parts: [0..<segments.end])
    }

    private init?(webp bytes: [UInt8]) {
        guard bytes.count > 30 else { return nil }
        let announced = Int(lowestFirst: bytes[4..<8]).addingClamped(8)
        let whole = 0..<min(bytes.count, announced)
        guard whole.count > 30 else { return nil }
        // The whole of what is decoded without loss is kept again while that is done, and so is transparency.
        func cost(isLossy: Bool, _ width: Int, _ height: Int) -> PictureCost {
            let pixels = PictureCost.plane(width, height, depth: 1)
            return PictureCost(
                frame: pixels.multipliedClamped(by: 4), work: pixels.multipliedClamped(by: isLossy ? 1 : 5))
        }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8X":
            // Animations are made of frames, whose sizes are further in.
            guard bytes[20] & 0x02 == 0 else { return nil }
            let (width, height) = (1 + Int(lowestFirst: bytes[24..<27]), 1 + Int(lowestFirst: bytes[27..<30]))
            self.init(
                .webp, width, height, hasAlpha: bytes[20] & 0x10 != 0,
                cost: cost(isLossy: false, width, height), parts: [whole])
        case "VP8 ":
            let width = Int(lowestFirst: bytes[26..<28]) & 0x3FFF
            let height = Int(lowestFirst: bytes[28..<30]) & 0x3FFF
            self.init(.webp, width, height, cost: cost(isLossy: true, width, height), parts: [whole])
        case "VP8L":
            let bits = Int(lowestFirst: bytes[21..<25])
            let (width, height) = (1 + (bits & 0x3FFF), 1 + ((bits >> 14) & 0x3FFF))
            self.init(
                .webp, width, height, hasAlpha: (bits >> 28) & 1 == 1, cost: cost(isLossy: false, width, height),
                parts: [whole])
        default: return nil
        }
    }
}

/// The memory that decoding a picture takes, in bytes and at the most.
struct PictureCost: Hashable, Sendable {
    var frame = 0
    var work = 0

    var total: Int { frame.addingClamped(work) }

    /// The memory for the pixels, with the borders that decoders add.
    static func plane(_ width: Int, _ height: Int, depth: Int) -> Int {
        width.addingClamped(64).multipliedClamped(by: height.addingClamped(64)).multipliedClamped(by: depth)
    }
}
