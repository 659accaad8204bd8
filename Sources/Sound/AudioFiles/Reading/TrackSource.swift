package import CSound
import Coordination
import Foundation
import MusicModel

/// The GStreamer source element that reads from a `TrackFeed`. The element holds one reference to the feed and lets go
/// of it when it is finalized; the callbacks only pass calls on and keep nothing. (`appsrc` can keep bytes of before a
/// flush in its queue and hand them out for another offset; a source that answers each read in the call itself can't.)
package enum TrackSource {
    static let type: GType = segue_source_register(
        { klass, _ in TrackSource.setUp(klass) }, { interface, _ in TrackSource.setUpAddresses(interface) })

    /// Makes an element that reads from the feed.
    package static func make(_ feed: TrackFeed) -> UnsafeMutablePointer<GstElement>? {
        guard let object = g_object_new_with_properties(type, 0, nil, nil) else { return nil }
        give(feed, to: UnsafeMutableRawPointer(object).assumingMemoryBound(to: GstBaseSrc.self))
        return UnsafeMutableRawPointer(object).assumingMemoryBound(to: GstElement.self)
    }

    private static let scheme = "segue-track"

    private static let offered = Monitor<[String: TrackFeed]>([:])

    /// Lets GStreamer open a feed by an address, until it is withdrawn: the discoverer takes nothing else, and no
    /// element that opens `file:` is left (see `ElementPolicy`). It can't be guessed, so that no playlist can name it.
    static func offer(_ feed: TrackFeed) -> String {
        let address = "\(scheme)://\(UUID().uuidString.lowercased())"
        offered.withLock { $0[address] = feed }
        return address
    }

    static func withdraw(_ address: String) { offered.withLock { _ = $0.removeValue(forKey: address) } }

    /// The schemes, as an array of C strings that lives as long as the process.
    private nonisolated(unsafe) static let schemes: UnsafePointer<UnsafePointer<gchar>?> = {
        // Safe because nothing changes it after it was made.
        let list = UnsafeMutablePointer<UnsafePointer<gchar>?>.allocate(capacity: 2)
        list.initialize(repeating: nil, count: 2)
        list[0] = UnsafePointer(strdup(scheme))
        return UnsafePointer(list)
    }()

    private static func setUpAddresses(_ interface: UnsafeMutableRawPointer?) {
        guard let handler = interface?.assumingMemoryBound(to: GstURIHandlerInterface.self) else { return }
        handler.pointee.get_type = { _ in GST_URI_SRC }
        handler.pointee.get_protocols = { _ in TrackSource.schemes }
        handler.pointee.get_uri = { _ in nil }
        handler.pointee.set_uri = { element, address, error in
            guard let element, let address, let feed = TrackSource.offered.withLock({ $0[String(cString: address)] })
            else {
                segue_set_uri_error(error)
                return 0
            }
            TrackSource.give(feed, to: UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstBaseSrc.self))
            return 1
        }
    }

    private static func give(_ feed: TrackFeed, to source: UnsafeMutablePointer<GstBaseSrc>) {
        let before = segue_source_exchange_feed(source, Unmanaged.passRetained(feed).toOpaque())
        if let before { Unmanaged<TrackFeed>.fromOpaque(before).release() }
        // Frames without a container have their positions in time, and no others.
        if feed.carrier != nil { gst_base_src_set_format(source, GST_FORMAT_TIME) }
        gst_base_src_set_dynamic_size(source, 1)
        gst_base_src_set_blocksize(source, 32_768)
    }

    private static func feed(_ source: UnsafeMutablePointer<GstBaseSrc>?) -> TrackFeed? {
        segue_source_feed(source).map { Unmanaged<TrackFeed>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func setUp(_ klass: UnsafeMutableRawPointer?) {
        guard let klass else { return }
        segue_source_class_describe(klass)
        let base = klass.assumingMemoryBound(to: GstBaseSrcClass.self)
        base.pointee.is_seekable = { _ in 1 }
        base.pointee.get_size = { source, size in
            guard let known = TrackSource.feed(source)?.size, known >= 0 else { return 0 }
            size?.pointee = guint64(known)
            return 1
        }
        base.pointee.fill = { source, offset, length, buffer in TrackSource.fill(source, offset, length, buffer) }
        base.pointee.do_seek = { source, segment in
            guard let source, let segment else { return 0 }
            guard let feed = TrackSource.feed(source), feed.carrier != nil
            else { return segue_source_seek_parent(source, segment) }
            feed.seekCarrier(to: Nanoseconds(segment.pointee.position) ?? .max)
            return 1
        }
        base.pointee.unlock = { source in
            TrackSource.feed(source)?.setFlushing(true)
            return 1
        }
        base.pointee.unlock_stop = { source in
            TrackSource.feed(source)?.setFlushing(false)
            return 1
        }
        base.pointee.query = { source, query in
            guard let source, let query else { return 0 }
            guard segue_query_is_scheduling(query) != 0, TrackSource.feed(source)?.access == .sequential
            else { return segue_source_query_parent(source, query) }
            // A track that is still arriving is read in order only; else demuxers would look at its end first.
            gst_query_set_scheduling(query, GST_SCHEDULING_FLAG_SEEKABLE, 1, -1, 0)
            gst_query_add_scheduling_mode(query, GST_PAD_MODE_PUSH)
            return 1
        }
        klass.assumingMemoryBound(to: GObjectClass.self).pointee.finalize = { TrackSource.finalize($0) }
    }

    private static func fill(
        _ source: UnsafeMutablePointer<GstBaseSrc>?, _ offset: guint64, _ length: guint,
        _ buffer: UnsafeMutablePointer<GstBuffer>?
    ) -> GstFlowReturn {
        guard let source, let buffer, let feed = feed(source) else { return GST_FLOW_ERROR }
        if let carrier = feed.carrier { return fill(source, buffer, feed, carrier) }
        guard offset < guint64(Int64.max) else { return GST_FLOW_ERROR }
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_WRITE) != 0 else { return GST_FLOW_ERROR }
        let target = UnsafeMutableRawBufferPointer(start: map.data, count: min(Int(length), Int(map.size)))
        let outcome = feed.read(at: Int64(offset), into: target, isPartial: segue_source_is_pulled(source) == 0)
        gst_buffer_unmap(buffer, &map)
        return finish(buffer, outcome)
    }

    private static func finish(
        _ buffer: UnsafeMutablePointer<GstBuffer>, _ outcome: TrackFeed.Outcome
    ) -> GstFlowReturn {
        switch outcome {
        case .bytes(let count):
            gst_buffer_set_size(buffer, gssize(count))
            return GST_FLOW_OK
        // Missing bytes end the track too, so that what is there is heard; the deck then asks the feed for the cause.
        case .end, .failed: return GST_FLOW_EOS
        case .flushed: return GST_FLOW_FLUSHING
        }
    }

    private static func fill(
        _ source: UnsafeMutablePointer<GstBaseSrc>, _ buffer: UnsafeMutablePointer<GstBuffer>, _ feed: TrackFeed,
        _ carrier: SampleLayout
    ) -> GstFlowReturn {
        let format = AudioFormat(sampleRate: carrier.rate, sample: .integer(bits: 24), channels: carrier.channels)
        guard let caps = format.capsText.flatMap({ gst_caps_from_string($0) }) else { return GST_FLOW_ERROR }
        defer { segue_caps_unref(caps) }
        guard gst_base_src_set_caps(source, caps) != 0 else { return GST_FLOW_NOT_NEGOTIATED }
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_WRITE) != 0 else { return GST_FLOW_ERROR }
        let (outcome, first) = feed.readCarrier(
            into: UnsafeMutableRawBufferPointer(start: map.data, count: Int(map.size)))
        gst_buffer_unmap(buffer, &map)
        if case .bytes(let count) = outcome {
            let start = carrier.length(frames: Int(first))
            let end = carrier.length(frames: Int(first) + count / format.frameSize)
            buffer.pointee.pts = start.clockTime
            buffer.pointee.duration = (end - start).clockTime
        }
        return finish(buffer, outcome)
    }

    private static func finalize(_ object: UnsafeMutablePointer<GObject>?) {
        guard let object else { return }
        let source = UnsafeMutableRawPointer(object).assumingMemoryBound(to: GstBaseSrc.self)
        if let feed = segue_source_exchange_feed(source, nil) { Unmanaged<TrackFeed>.fromOpaque(feed).release() }
        segue_source_finalize_parent(object)
    }
}
