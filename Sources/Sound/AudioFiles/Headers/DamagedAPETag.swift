import Glibc

/// APE tags whose size can't be right, hidden from GStreamer: its `apedemux` ends the process over them.
/// - Source: gst-plugins-base 1.22 gst-libs/gst/tag/gsttagdemux.c, which asserts that a tag is as long as its header,
///   and gst/apetag/gstapedemux.c, where the size is a sum that may overflow.
enum DamagedAPETag {
    private static let magic = Array("APETAGEX".utf8)
    private static let headerSize = 32
    private static let limit: UInt32 = 256 << 20

    /// Makes headers and footers with a size that can't be right unrecognizable.
    static func hide(in bytes: UnsafeMutableRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        var position = 0
        while bytes.count - position >= headerSize,
            let found = memchr(start + position, Int32(magic[0]), bytes.count - position - headerSize + 1)
        {
            let offset = start.distance(to: found)
            if memcmp(found, magic, magic.count) == 0, !isPlausible(bytes, at: offset) { bytes[offset] = 0 }
            position = offset + 1
        }
    }

    private static func isPlausible(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
        let size = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
        return (UInt32(headerSize)...limit).contains(size)
    }
}
