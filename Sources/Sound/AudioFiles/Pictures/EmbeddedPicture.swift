import MusicModel

/// The picture within a file, as it stands there: GStreamer 1.22 leaves those out whose type no tag names, or names
/// wrongly, and of Matroska and WMA it takes the first alone.
/// - Source: ID3 tag version 2.3.0 and 2.4.0, frame `APIC`; RFC 9559, 5.1.6 (Attachments); Microsoft's `WM/Picture`;
///   the item `covr` as iTunes writes it.
struct EmbeddedPicture {
    let bytes: [UInt8]
    /// By its own first bytes, or else as the tag has it.
    let mimeType: String

    private static let maxSize = 32 << 20
    private static let maxCount = 64
    private static let front: UInt8 = 3

    /// The front cover of a file, or another picture where there is none; nil where these formats have none.
    /// - Isolation: blocks for the reading of the pictures.
    static func read(path: String) -> (bytes: [UInt8], mimeType: String)? {
        let suffix = path.pathSuffix
        let found = HeaderBytes.reading(path) { source -> EmbeddedPicture? in
            if MusicSuffixes.mp4.contains(suffix) { return inMP4(source) }
            if MusicSuffixes.matroska.contains(suffix) { return inMatroska(source) }
            if MusicSuffixes.asf.contains(suffix) { return inASF(source) }
            let found = MusicSuffixes.withID3.contains(suffix) ? inID3(source) : nil
            return found ?? (OwnTags.withAPE.contains(suffix) ? inAPE(source) : nil)
        }
        return found.map { ($0.bytes, $0.mimeType) }
    }

    private init?(_ bytes: [UInt8], told: String? = nil) {
        let told = told?.lowercased() ?? ""
        guard !bytes.isEmpty, let type = PictureSignature.mimeType(bytes) ?? (told.hasPrefix("image/") ? told : nil),
            type.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
        else { return nil }
        (self.bytes, mimeType) = (bytes, type)
    }

    private static func best(_ all: some Sequence<(isFront: Bool, picture: EmbeddedPicture)>) -> EmbeddedPicture? {
        var first: EmbeddedPicture?
        for (isFront, picture) in all {
            if isFront { return picture }
            first = first ?? picture
        }
        return first
    }

    private static func inID3(_ source: HeaderBytes) -> EmbeddedPicture? {
        let frames = ID3Tag(source, frames: ["APIC"], largest: maxSize)?.frames ?? []
        return best(frames.prefix(maxCount).lazy.compactMap { inFrame($0.body) })
    }

    /// Reads an encoding, a type with a zero behind it, a byte for what is shown, a description, and the picture.
    private static func inFrame(_ body: [UInt8]) -> (isFront: Bool, picture: EmbeddedPicture)? {
        guard let encoding = body.first, let end = body.dropFirst().firstIndex(of: 0), end + 2 < body.count
        else { return nil }
        let told = String(decoding: body[1..<end], as: UTF8.self)
        let (kind, rest) = (body[end + 1], body[(end + 2)...])
        guard told != "-->" else { return nil }
        let data = Array(rest[behindText(rest, isWide: encoding == 1 || encoding == 2)...])
        let picture =
            PictureSignature.mimeType(data) == nil
            // Some writers end the description otherwise than its encoding wants.
            ? PictureSignature.offset(in: rest.prefix(maxTextLength)).flatMap { EmbeddedPicture(Array(rest[$0...])) }
            : EmbeddedPicture(data)
        return (picture ?? EmbeddedPicture(data, told: told)).map { (kind == front, $0) }
    }

    private static let maxTextLength = 1024

    private static func behindText(_ bytes: ArraySlice<UInt8>, isWide: Bool) -> Int {
        guard isWide else { return bytes.firstIndex(of: 0).map { $0 + 1 } ?? bytes.endIndex }
        let offsets = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
        return offsets.first { bytes[$0] == 0 && bytes[$0 + 1] == 0 }.map { $0 + 2 } ?? bytes.endIndex
    }

    private static func inAPE(_ source: HeaderBytes) -> EmbeddedPicture? {
        guard let range = APETag(source)?.picture, range.count <= maxSize else { return nil }
        // A file name precedes it.
        let bytes = source.bytes(at: range.lowerBound, count: range.count)
        return bytes.firstIndex(of: 0).flatMap { EmbeddedPicture(Array(bytes[($0 + 1)...])) }
    }

    private static func inMP4(_ source: HeaderBytes) -> EmbeddedPicture? {
        guard source.name(at: 4) == "ftyp" else { return nil }
        var file = MP4Boxes(source)
        for item in file.tags() where item.name == "covr" {
            for part in file.boxes(item).prefix(maxCount) where part.name == "data" && part.end - part.body > 8 {
                if let found = picture(source, part.body + 8..<part.end) { return found }
            }
        }
        return nil
    }

    private static func picture(_ source: HeaderBytes, _ range: Range<Int64>, told: String? = nil) -> EmbeddedPicture? {
        guard range.count <= maxSize else { return nil }
        return EmbeddedPicture(source.bytes(at: range.lowerBound, count: range.count), told: told)
    }

    private static let (file, name, type, data): (UInt32, UInt32, UInt32, UInt32) = (0x61A7, 0x466E, 0x4660, 0x465C)

    private static func inMatroska(_ source: HeaderBytes) -> EmbeddedPicture? {
        var reader = EBML(source)
        guard let segment = reader.segment(), let list = reader.part(EBML.ID.attachments, in: segment)
        else { return nil }
        let files = reader.elements(in: list.body).filter { $0.id == file }.prefix(maxCount)
        let ranked = files.map { reader.elements(in: $0.body) }.map { parts in
            let name = reader.text(parts, name)?.lowercased() ?? ""
            let isNamed = name.contains("cover") || name.contains("front")
            return (rank: name.hasPrefix("cover.") ? 0 : isNamed ? 1 : 2, parts)
        }
        for (_, parts) in ranked.sorted(by: { $0.rank < $1.rank }) {
            guard let body = parts.first(where: { $0.id == data })?.body else { continue }
            if let found = picture(source, body, told: reader.text(parts, type)) { return found }
        }
        return nil
    }

    private static func inASF(_ source: HeaderBytes) -> EmbeddedPicture? {
        let ranges = ASFTags(source)?.pictures.prefix(maxCount) ?? []
        return best(
            ranges.lazy.compactMap { range -> (isFront: Bool, picture: EmbeddedPicture)? in
                guard range.count <= maxSize, range.count > 9 else { return nil }
                // A byte for the kind of the picture, its size, and two texts.
                let bytes = source.bytes(at: range.lowerBound, count: range.count)[...]
                guard bytes.count == range.count else { return nil }
                let told = behindText(bytes.dropFirst(5), isWide: true)
                let start = behindText(bytes[told...], isWide: true)
                return EmbeddedPicture(Array(bytes[start...])).map { (bytes[0] == front, $0) }
            })
    }
}

/// The type of a picture by how it begins.
package enum PictureSignature {
    private static let beginnings: [(bytes: [UInt8], type: String)] = [
        ([0xFF, 0xD8, 0xFF], "image/jpeg"), ([0x89, 0x50, 0x4E, 0x47], "image/png"),
        (Array("GIF8".utf8), "image/gif"), ([0, 0, 0, 0xC, 0x4A, 0x58, 0x4C, 0x20], "image/jxl"),
    ]

    /// The type; nil for what is no picture.
    package static func mimeType(_ bytes: some Collection<UInt8>) -> String? {
        if let found = beginnings.first(where: { bytes.starts(with: $0.bytes) }) { return found.type }
        let (second, third) = (bytes.dropFirst(4), bytes.dropFirst(8))
        if bytes.starts(with: "RIFF".utf8) { return third.starts(with: "WEBP".utf8) ? "image/webp" : nil }
        if second.starts(with: "ftyp".utf8) {
            if third.starts(with: "avi".utf8) { return "image/avif" }
            return ["heic", "heix", "mif1"].contains { third.starts(with: $0.utf8) } ? "image/heic" : nil
        }
        if bytes.starts(with: [0x49, 0x49, 0x2A, 0]) { return "image/tiff" }
        if bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) { return "image/tiff" }
        if bytes.starts(with: [0xFF, 0x0A]) { return "image/jxl" }
        return bytes.starts(with: "BM".utf8) && second.dropFirst(2).starts(with: [0, 0, 0, 0]) ? "image/bmp" : nil
    }

    static func offset(in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.indices.first { offset in beginnings.contains { bytes[offset...].starts(with: $0.bytes) } }
    }
}
