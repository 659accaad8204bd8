import NIOCore

/// Puts titles between the bytes of a stream, as SHOUTcast began it: every `interval` bytes a length and a text.
struct TitleInterleaver {
    /// How many bytes of sound lie between two texts.
    static let interval = 8192

    /// What plays.
    var title: String
    private var sent: String?
    private var left = Self.interval

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
        // A quote would end the text.
        let inner = title.replacing("'", with: "\u{2019}")
        var text = Array("StreamTitle='\(inner)';".utf8)
        if text.count > 255 * 16 {
            text = Array("StreamTitle='".utf8) + Array(String(inner.prefix(900)).utf8) + Array("';".utf8)
        }
        let length = (text.count + 15) / 16
        return [UInt8(length)] + text + [UInt8](repeating: 0, count: length * 16 - text.count)
    }
}
