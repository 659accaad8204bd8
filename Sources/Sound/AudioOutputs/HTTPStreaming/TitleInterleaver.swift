import MusicModel
import NIOCore

/// Puts titles between the bytes of a stream, as SHOUTcast began it: every `interval` bytes a length and a text.
struct TitleInterleaver {
    static let interval = 8192
    var title: String
    private var sent: String?
    private var left = Self.interval

    init(title: String) { self.title = title }

    mutating func weave(_ bytes: ByteBuffer) -> ByteBuffer {
        var bytes = bytes
        var woven = ByteBuffer()
        woven.reserveCapacity(bytes.readableBytes + bytes.readableBytes / Self.interval + 64)
        while let piece = bytes.readSlice(length: min(left, bytes.readableBytes)), piece.readableBytes > 0 {
            woven.writeImmutableBuffer(piece)
            left -= piece.readableBytes
            guard left == 0 else { break }
            woven.writeBytes(block())
            left = Self.interval
        }
        return woven
    }

    /// A text, or nothing when it was sent already: a length in sixteenths, the text, zeros.
    private mutating func block() -> [UInt8] {
        guard title != sent else { return [0] }
        sent = title
        let text = Self.opening + Self.inner(title) + Self.closing
        let length = (text.count + 15) / 16
        return [UInt8(truncatingIfNeeded: length)] + text + [UInt8](repeating: 0, count: length * 16 - text.count)
    }

    private static let opening = Array("StreamTitle='".utf8)
    private static let closing = Array("';".utf8)
    /// The length is a byte, which counts sixteens.
    private static let maxLength = 255 * 16 - opening.count - closing.count

    /// The title without what would end it early, cut to scalars: a quote with an accent on it still ends the text.
    private static func inner(_ title: String) -> [UInt8] {
        let scalars = title.withoutControls.unicodeScalars.map { $0 == "'" ? "\u{2019}" : $0 }
        return Array(String(String.UnicodeScalarView(scalars)).prefix(utf8: maxLength).utf8)
    }
}
