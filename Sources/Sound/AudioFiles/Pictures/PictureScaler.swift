import CSound
import Coordination
import Glibc
import MusicModel

/// Makes a picture smaller for screens, with GStreamer's decoders. What that takes is read from the picture's own
/// header; one that would take too much memory stays as it is, and no decoder gets more than the header says.
package struct PictureScaler: Sendable {
    private static let maxPixels = 25_000_000
    /// The most bytes that a decoder may take for one picture: 25 megapixels with transparency. `ProcessSetup` tells
    /// libjpeg the same about what it keeps of a picture in several scans.
    private static let maxMemory = 100 << 20
    private static let patience: Nanoseconds = .seconds(8)

    private let bytes: [UInt8]
    private let header: PictureHeader
    private let edge: Int

    /// Looks at a picture whose longer edge is to have `edge` pixels.
    /// - Returns: nil for pictures that stay as they are: small, too large, or no JPEG, PNG or WebP.
    package init?(_ bytes: [UInt8], edge: Int) {
        guard let header = PictureHeader(bytes), edge > 0, max(header.width, header.height) > edge,
            header.width.multipliedClamped(by: header.height) <= Self.maxPixels, header.cost.total <= Self.maxMemory
        else { return nil }
        self.init(bytes, header, edge: edge)
    }

    init(_ bytes: [UInt8], _ header: PictureHeader, edge: Int) {
        (self.bytes, self.header, self.edge) = (bytes, header, edge)
    }

    /// The maximum number of bytes that making it smaller takes, besides the picture itself.
    package var memory: Int {
        // A copy of the file is what the decoder reads; the smaller picture is there raw and encoded.
        header.cost.total.addingClamped(bytes.count).addingClamped(PictureCost.plane(edge, edge, depth: 8))
    }

    /// The smaller picture.
    /// - Returns: JPEG, or PNG for pictures that one can see through; nil for those that can't be decoded.
    /// - Isolation: blocks, for some 10 to 300 ms and 8 s at most; call it on a thread that may wait.
    package func scaled() -> (bytes: [UInt8], mimeType: String)? {
        let elements = [header.kind.decoder, header.hasAlpha ? "pngenc" : "jpegenc", "videoconvert", "videoscale"]
        guard GStreamerLibrary.failure == nil, elements.allSatisfy(GStreamerLibrary.has) else { return nil }
        return encoded().map { ($0, header.hasAlpha ? "image/png" : "image/jpeg") }
    }

    /// The pipeline: scaled first, so that only the smaller picture is converted. Nothing behind the decoder may refuse
    /// a format: `segue_limit_picture` would not be asked for memory any more.
    private var launch: String {
        let longer = max(header.width, header.height)
        let width = max(1, header.width.multipliedClamped(by: edge) / longer)
        let height = max(1, header.height.multipliedClamped(by: edge) / longer)
        let (format, encoder) = header.hasAlpha ? ("RGBA", "pngenc") : ("I420", "jpegenc quality=86")
        return """
            appsrc name=source caps=\(header.kind.mimeType) max-bytes=0 ! \(header.kind.decoder) name=decoder ! \
            videoscale method=lanczos ! \
            video/x-raw,width=\(width),height=\(height),pixel-aspect-ratio=1/1 ! videoconvert ! \
            video/x-raw,format=\(format) ! \(encoder) ! appsink name=sink sync=false max-buffers=1
            """
    }

    private func encoded() -> [UInt8]? {
        guard let pipeline = PipelineReference(launch: launch), let source = pipeline.child("source"),
            let sink = pipeline.child("sink"), let decoder = pipeline.child("decoder"), let buffer = essential()
        else { return nil }
        segue_limit_picture(decoder.pointer, gsize(header.cost.frame))
        pipeline.setState(GST_STATE_PLAYING)
        _ = segue_appsrc_push(source.pointer, buffer)
        _ = segue_appsrc_end(source.pointer)
        let deadline = Monotonic.now + Self.patience
        while Monotonic.now < deadline {
            if let sample = segue_appsink_try_pull(sink.pointer, Nanoseconds.milliseconds(50).clockTime) {
                defer { segue_sample_unref(sample) }
                return Self.bytes(of: sample)
            }
            let hasFailed = pipeline.message(GST_MESSAGE_ERROR, milliseconds: 0) != nil
            if hasFailed || segue_appsink_is_eos(sink.pointer) != 0 { return nil }
        }
        return nil
    }

    private func essential() -> UnsafeMutablePointer<GstBuffer>? {
        let size = header.parts.reduce(0) { $0 + $1.count }
        guard let buffer = gst_buffer_new_allocate(nil, gsize(size), nil) else { return nil }
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            for part in header.parts {
                let start = bytes.baseAddress?.advanced(by: part.lowerBound)
                gst_buffer_fill(buffer, gsize(offset), start, gsize(part.count))
                offset += part.count
            }
        }
        return buffer
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
