import Glibc
import MusicModel

/// Words in the ID3 tag at a file's beginning, which GStreamer 1.22 does not read (frame `USLT`).
///
/// - Source: ID3 tag version 2.3.0 and 2.4.0, main structure and native frames.
enum UnsyncedLyrics {
    private static let largestTag = 32 << 20

    /// The words of the first such frame; nil where there is none.
    ///
    /// - Isolation: blocks for the reading of the tag.
    static func read(path: String) -> String? {
        guard let opened = try? RegularFile.open(path) else { return nil }
        guard let file = fdopen(opened.descriptor, "rb") else {
            close(opened.descriptor)
            return nil
        }
        defer { fclose(file) }
        guard let head = bytes(10, of: file), head.starts(with: Array("ID3".utf8)), (3...4).contains(head[3]),
            head[5] & 0x80 == 0
        else { return nil }
        let size = number(head[6...], bits: 7)
        guard size <= largestTag, let tag = bytes(size, of: file) else { return nil }
        return words(in: tag, version: head[3], hasExtendedHeader: head[5] & 0x40 != 0)
    }

    private static func words(in tag: [UInt8], version: UInt8, hasExtendedHeader: Bool) -> String? {
        let sizeBits = version == 4 ? 7 : 8
        var place = 0
        if hasExtendedHeader, tag.count >= 4 {
            place = number(tag[0..<4], bits: sizeBits) + (version == 3 ? 4 : 0)
        }
        while place + 10 <= tag.count, tag[place] != 0 {
            let size = number(tag[(place + 4)..<(place + 8)], bits: sizeBits)
            let flags = tag[place + 9]
            let body = place + 10
            guard size > 0, size <= tag.count - body else { return nil }
            // Compressed, encrypted and scattered frames are rare and left alone.
            if tag[place..<(place + 4)].elementsEqual("USLT".utf8), flags & (version == 4 ? 0x0F : 0xC0) == 0 {
                return text(tag[body..<(body + size)])
            }
            place = body + size
        }
        return nil
    }

    /// What follows encoding, language and description.
    private static func text(_ frame: ArraySlice<UInt8>) -> String? {
        guard let encoding = frame.first, frame.count > 4 else { return nil }
        let rest = frame.dropFirst(4)
        switch encoding {
        case 0: return rest.firstIndex(of: 0).map { end in latin1(rest[(end + 1)...]) }
        case 3: return rest.firstIndex(of: 0).map { end in String(decoding: rest[(end + 1)...], as: UTF8.self) }
        default:
            let units = stride(from: rest.startIndex, to: rest.endIndex - 1, by: 2).map { (rest[$0], rest[$0 + 1]) }
            guard let end = units.firstIndex(where: { $0 == (0, 0) }) else { return nil }
            return utf16(units[(end + 1)...], isBig: encoding == 2)
        }
    }

    private static func latin1(_ bytes: ArraySlice<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static func utf16(_ units: ArraySlice<(UInt8, UInt8)>, isBig: Bool) -> String {
        var units = units
        var isBig = isBig
        if let mark = units.first, mark == (0xFE, 0xFF) || mark == (0xFF, 0xFE) {
            isBig = mark.0 == 0xFE
            units = units.dropFirst()
        }
        return String(
            decoding: units.map { isBig ? UInt16($0) << 8 | UInt16($1) : UInt16($1) << 8 | UInt16($0) }, as: UTF16.self)
    }

    private static func number(_ bytes: ArraySlice<UInt8>, bits: Int) -> Int {
        bytes.prefix(4).reduce(0) { $0 << bits | Int($1) }
    }

    private static func bytes(_ count: Int, of file: UnsafeMutablePointer<FILE>) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return fread(&bytes, 1, count, file) == count ? bytes : nil
    }
}
