import NIOCore

/// Puts titles between the bytes of a stream, as SHOUTcast began it: every `interval` bytes a length and a text.
struct TitleInterleaver {
    /// How many bytes of sound lie between two texts.
    static let interval = 8192

    /// The title of the piece that plays.
    var title: String
    private var sent: String?
    private var left = Self.interval

    /// Begins a stream in which that title is sent with the first bytes.
    init(title: String) { self.title = title }

    /// The bytes with the texts that are due among them.
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

    /// The title without what would end it early, cut to whole letters of UTF-8.
    ///
    /// It goes by scalars: a quote with an accent on it is another character, but still ends the text.
    private static func inner(_ title: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in title.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7F {
            let next = Array(String(scalar == "'" ? "\u{2019}" : scalar).utf8)
            guard bytes.count + next.count <= maxLength else { break }
            bytes += next
        }
        return bytes
    }
}
