import CSound
package import Coordination
import MusicModel

/// A piece of decoded sound.
package struct DeckSamples {
    /// Rate and channels.
    package var layout: SampleLayout
    /// The samples, interleaved.
    package var samples: [Float] { didSet { integers = nil } }
    /// The same as whole numbers of 32 bits, where floats don't hold them.
    package private(set) var integers: [Int32]?
    /// The position in the track of the first frame, if the decoder says so.
    package var position: Nanoseconds?
}

extension DeckSamples {
    /// Has a position in a part of a chained file count from the file's beginning; cuts off what is behind the part.
    package mutating func bring(into link: OggLink, trim: TrackTrim?) {
        guard let place = position else { return }
        position = place + link.start
        guard let end = trim?.frames(at: layout.rate) else { return }
        let left = max(0, end - Int64(layout.frames(in: place))).multipliedClamped(by: Int64(layout.channels))
        if left < Int64(samples.count) { samples.removeLast(samples.count - Int(left)) }
    }

    /// Copies the sound out of a GStreamer sample; nil if it holds none.
    package init?(_ sample: OpaquePointer) {
        guard let buffer = gst_sample_get_buffer(sample), let caps = gst_sample_get_caps(sample),
            let layout = CapsFormat.layout(caps)
        else { return nil }
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
        defer { gst_buffer_unmap(buffer, &map) }
        let bytes = UnsafeRawBufferPointer(start: map.data, count: Int(map.size))
        let count = bytes.count / (4 * layout.channels) * layout.channels
        guard count > 0 else { return nil }
        self.layout = layout
        let own = UnsafeRawBufferPointer(rebasing: bytes[..<(count * 4)])
        if CapsFormat.hasWholeNumbers(caps) {
            let floats = WholeNumbers.floats(own)
            samples = floats.samples
            integers = floats.areExact ? nil : Self.copy(own)
        } else {
            samples = Self.copy(own)
        }
        let stamp = buffer.pointee.pts
        if stamp != guint64.max, let segment = gst_sample_get_segment(sample) {
            let place = Nanoseconds(gst_segment_to_stream_time(segment, GST_FORMAT_TIME, stamp))
            position = place.flatMap { SoundLimits.isPlausible($0) ? $0 : nil }
        }
    }

    private static func copy<Sample>(_ bytes: UnsafeRawBufferPointer) -> [Sample] {
        let count = bytes.count / MemoryLayout<Sample>.stride
        return [Sample](unsafeUninitializedCapacity: count) { target, filled in
            UnsafeMutableRawBufferPointer(target).copyMemory(from: bytes)
            filled = count
        }
    }
}
