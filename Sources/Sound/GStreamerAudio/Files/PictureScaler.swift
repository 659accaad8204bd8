import CGStreamer
import Glibc

/// Makes pictures smaller for screens, with GStreamer's decoders.
///
/// Pictures come from files and from the web: their size is read from their own header before anything is decoded, and
/// those that would take too much memory are left as they are.
package enum PictureScaler {
    /// The most pixels that are decoded: 50 MB of memory for a photograph, 100 for a drawing.
    private static let mostPixels = 25_000_000
    private static let patience: Int64 = 8_000_000_000

    /// A picture whose longer edge has so many pixels.
    ///
    /// - Returns: JPEG, or PNG for pictures that one can see through; nil for those that are small enough, that aren't
    ///   JPEG, PNG or WebP, or that can't be decoded.
    /// - Isolation: blocks, for some 10 to 300 ms and 8 s at most; call it on a thread that may wait.
    package static func scaled(_ bytes: [UInt8], edge: Int) -> (bytes: [UInt8], mimeType: String)? {
        guard let header = PictureHeader(bytes), edge > 0, max(header.width, header.height) > edge,
            header.width.multipliedReportingOverflow(by: header.height).partialValue <= mostPixels,
            GStreamerLibrary.failure == nil
        else { return nil }
        let longer = max(header.width, header.height)
        let (width, height) = (max(1, header.width * edge / longer), max(1, header.height * edge / longer))
        let (format, encoder) = header.hasAlpha ? ("RGBA", "pngenc") : ("I420", "jpegenc quality=86")
        let elements = [header.decoder, header.hasAlpha ? "pngenc" : "jpegenc", "videoconvert", "videoscale"]
        guard elements.allSatisfy(GStreamerLibrary.has) else { return nil }
        let launch = """
            appsrc name=source caps=\(header.mimeType) max-bytes=0 ! \(header.decoder) ! videoconvert ! \
            videoscale method=lanczos ! \
            video/x-raw,format=\(format),width=\(width),height=\(height),pixel-aspect-ratio=1/1 ! \
            \(encoder) ! appsink name=sink sync=false max-buffers=1
            """
        return encoded(launch, bytes).map { ($0, header.hasAlpha ? "image/png" : "image/jpeg") }
    }

    private static func encoded(_ launch: String, _ bytes: [UInt8]) -> [UInt8]? {
        guard let pipeline = PipelineReference(launch: launch), let source = pipeline.child("source"),
            let sink = pipeline.child("sink"), let buffer = gst_buffer_new_allocate(nil, gsize(bytes.count), nil)
        else { return nil }
        _ = bytes.withUnsafeBytes { gst_buffer_fill(buffer, 0, $0.baseAddress, gsize($0.count)) }
        pipeline.setState(GST_STATE_PLAYING)
        _ = segue_appsrc_push(source.pointer, buffer)
        _ = segue_appsrc_end(source.pointer)
        let deadline = Monotonic.now + patience
        while Monotonic.now < deadline {
            if let sample = segue_appsink_try_pull(sink.pointer, 50_000_000) {
                defer { segue_sample_unref(sample) }
                return Self.bytes(of: sample)
            }
            let hasFailed = pipeline.message(GST_MESSAGE_ERROR, milliseconds: 0) != nil
            if hasFailed || segue_appsink_is_eos(sink.pointer) != 0 { return nil }
        }
        return nil
    }

    private static func bytes(of sample: OpaquePointer) -> [UInt8]? {
        guard let buffer = gst_sample_get_buffer(sample) else { return nil }
        let size = Int(gst_buffer_get_size(buffer))
        guard size > 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: size) { target, filled in
            filled = Int(gst_buffer_extract(buffer, 0, target.baseAddress, gsize(size)))
        }
    }
}

/// Type and size of a picture, by its first bytes.
///
/// - Source: ITU-T T.81 (JPEG), the W3C's PNG specification, and the WebP container specification.
struct PictureHeader: Hashable, Sendable {
    /// Its size in pixels, each edge between 1 and 65,535.
    var width = 0
    var height = 0
    /// As in HTTP.
    var mimeType = ""
    /// GStreamer's element that decodes it.
    var decoder = ""
    /// Whether one can see through it.
    var hasAlpha = false

    /// Reads the header of a JPEG, PNG or WebP file; nil for anything else.
    init?(_ bytes: [UInt8]) {
        func has(_ prefix: [UInt8], at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: prefix) }
        if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self.init(png: bytes)
        } else if has([0xFF, 0xD8, 0xFF]) {
            self.init(jpeg: bytes)
        } else if has(Array("RIFF".utf8)), has(Array("WEBP".utf8), at: 8) {
            self.init(webp: bytes)
        } else {
            return nil
        }
        guard (1...65535).contains(width), (1...65535).contains(height) else { return nil }
    }

    private init?(png bytes: [UInt8]) {
        guard bytes.count > 33, Array(bytes[12..<16]) == Array("IHDR".utf8) else { return nil }
        (mimeType, decoder) = ("image/png", "pngdec")
        (width, height) = (Self.big(bytes[16..<20]), Self.big(bytes[20..<24]))
        hasAlpha = bytes[25] == 4 || bytes[25] == 6
    }

    private init?(jpeg bytes: [UInt8]) {
        (mimeType, decoder) = ("image/jpeg", "jpegdec")
        var place = 2
        // Segments until the one with the size; each is at least four bytes long, so this ends.
        while place + 9 < bytes.count {
            guard bytes[place] == 0xFF else { return nil }
            let marker = bytes[place + 1]
            if marker == 0xFF {
                place += 1
            } else if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                height = Self.big(bytes[(place + 5)..<(place + 7)])
                width = Self.big(bytes[(place + 7)..<(place + 9)])
                return
            } else {
                place += 2 + max(2, Self.big(bytes[(place + 2)..<(place + 4)]))
            }
        }
        return nil
    }

    private init?(webp bytes: [UInt8]) {
        guard bytes.count > 30 else { return nil }
        (mimeType, decoder) = ("image/webp", "webpdec")
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8X":
            hasAlpha = bytes[20] & 0x10 != 0
            width = 1 + Self.little(bytes[24..<27])
            height = 1 + Self.little(bytes[27..<30])
        case "VP8 ":
            width = Self.little(bytes[26..<28]) & 0x3FFF
            height = Self.little(bytes[28..<30]) & 0x3FFF
        case "VP8L":
            let bits = Self.little(bytes[21..<25])
            (width, height, hasAlpha) = (1 + (bits & 0x3FFF), 1 + ((bits >> 14) & 0x3FFF), (bits >> 28) & 1 == 1)
        default: return nil
        }
    }

    private static func big(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    private static func little(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
}
