package import CSound
import Coordination
import Glibc
import Logging

/// GStreamer as a whole: brought up once, on the first thread that needs it.
package enum GStreamerLibrary {
    /// Nil when GStreamer is ready, else why it isn't.
    /// - Isolation: blocks the first callers while plug-ins are looked up, which takes seconds when no registry
    ///   cache exists; never touch it on an executor's thread.
    package static let failure: String? = {
        takeLog()
        var error: UnsafeMutablePointer<GError>?
        guard gst_init_check(nil, nil, &error) != 0 else {
            defer { g_clear_error(&error) }
            return error.map { String(cString: $0.pointee.message) } ?? "GStreamer can't start"
        }
        _ = TrackSource.type
        segue_know_dash()
        segue_know_wavpack()
        // The usual MP3 decoder rounds to 16 bits; this one gives floats.
        segue_prefer("mpg123audiodec")
        // This demuxer reads the end of a DSDIFF file again and again without an end, and can't be stopped meanwhile.
        segue_avoid("avdemux_iff")
        ElementPolicy.forgetSources()
        return nil
    }()

    private static let log = Logger(label: "segue.glib")

    /// Complaints of libraries are for developers; as they write them, they would be lines of no form in the log.
    private static func takeLog() {
        segue_log_to { domain, message, length in
            guard let message else { return }
            let bytes = UnsafeRawBufferPointer(start: message, count: length)
            let text = String(decoding: bytes, as: UTF8.self)
            GStreamerLibrary.log.debug("\(domain.map { String(cString: $0) } ?? ""): \(text)")
        }
    }

    /// The problem with the certificates that `SSL_CERT_FILE` in the environment names, which are trusted for all that
    /// GStreamer fetches; nil where all is well.
    package static let trustFault: String? = {
        guard failure == nil, let path = getenv("SSL_CERT_FILE"), path.pointee != 0, segue_tls_is_there() != 0
        else { return nil }
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        if segue_tls_trust(path, &error) != 0 { return nil }
        return error.map { String(cString: $0.pointee.message) } ?? "it holds no certificate"
    }()

    /// Loads the plug-ins that the first song will want, so that it starts sooner.
    package static func warmUp() {
        guard failure == nil else { return }
        let usual = [
            "decodebin", "audioconvert", "audioresample", "appsink", "appsrc", "queue", "typefind", "flacparse",
            "flacdec",
            "mpegaudioparse", "mpg123audiodec", "id3demux", "oggdemux", "vorbisdec", "opusdec", "qtdemux", "wavparse",
        ]
        for name in usual {
            if let element = gst_element_factory_make(name, nil) { segue_unref(gst_object_ref_sink(element)) }
        }
    }

    /// True if an element can be made.
    package static func has(_ element: String) -> Bool {
        guard failure == nil, let factory = gst_element_factory_find(element) else { return false }
        segue_unref(UnsafeMutableRawPointer(factory))
        return true
    }
}

/// Owns one reference to an element. `@unchecked Sendable` as elements may be used from any thread.
package final class ElementReference: @unchecked Sendable {
    /// The element, for GStreamer's functions.
    package let pointer: UnsafeMutablePointer<GstElement>

    init(owning pointer: UnsafeMutablePointer<GstElement>) { self.pointer = pointer }

    deinit { segue_unref(pointer) }

    func child(_ name: String) -> ElementReference? {
        segue_bin_get(pointer, name).map { ElementReference(owning: $0) }
    }

    @discardableResult
    func setState(_ state: GstState) -> Bool { gst_element_set_state(pointer, state) != GST_STATE_CHANGE_FAILURE }

    /// True if the state that was asked for last is reached, by what is live without a sound yet.
    package var hasReachedState: Bool {
        let result = gst_element_get_state(pointer, nil, nil, 0)
        return result == GST_STATE_CHANGE_SUCCESS || result == GST_STATE_CHANGE_NO_PREROLL
    }
}

/// Owns a pipeline: takes it down before it lets go.
package final class PipelineReference: Sendable {
    /// The pipeline as the element that it is.
    package let element: ElementReference

    /// Builds a pipeline from GStreamer's launch syntax; nil if an element is missing.
    package init?(launch description: String) {
        var error: UnsafeMutablePointer<GError>?
        let made = gst_parse_launch(description, &error)
        defer { g_clear_error(&error) }
        guard let made else { return nil }
        let reference = ElementReference(owning: segue_element(gst_object_ref_sink(made)))
        guard error == nil else { return nil }
        element = reference
    }

    deinit { _ = element.setState(GST_STATE_NULL) }

    /// The element of that name within it.
    package func child(_ name: String) -> ElementReference? { element.child(name) }

    /// Asks for a state; false if that failed at once.
    @discardableResult
    package func setState(_ state: GstState) -> Bool { element.setState(state) }

    /// Takes the next message of one of the kinds, waiting up to `milliseconds`.
    package func message(_ kinds: GstMessageType, milliseconds: Int) -> BusMessage? {
        guard let bus = gst_element_get_bus(element.pointer) else { return nil }
        defer { segue_unref(bus) }
        return gst_bus_timed_pop_filtered(bus, Nanoseconds.milliseconds(milliseconds).clockTime, kinds).map {
            BusMessage(owning: $0)
        }
    }

    /// Ends a waiting `message` call early.
    package func nudge() {
        guard let bus = gst_element_get_bus(element.pointer) else { return }
        defer { segue_unref(bus) }
        gst_bus_post(bus, gst_message_new_application(nil, gst_structure_new_empty("segue-nudge")))
    }
}

/// Owns one message of a bus.
package final class BusMessage {
    /// The message, for GStreamer's functions.
    package let pointer: UnsafeMutablePointer<GstMessage>

    init(owning pointer: UnsafeMutablePointer<GstMessage>) { self.pointer = pointer }

    deinit { segue_message_unref(pointer) }

    /// True if the message is of that kind.
    package func isKind(_ kind: GstMessageType) -> Bool { segue_message_is(pointer, kind) != 0 }
}

extension GstMessageType {
    /// Several kinds together.
    package static func any(_ kinds: GstMessageType...) -> GstMessageType {
        GstMessageType(rawValue: kinds.reduce(0) { $0 | $1.rawValue })
    }
}

extension Nanoseconds {
    /// A time of GStreamer's, or the longest one where it is longer than that; nil where there is none.
    package init?(_ time: GstClockTime) {
        // GST_CLOCK_TIME_NONE
        guard time != .max else { return nil }
        self.init(count: Int64(clamping: time))
    }

    /// The same for GStreamer, which has no times below zero.
    package var clockTime: GstClockTime { GstClockTime(Swift.max(0, count)) }
    /// The same where GStreamer takes a number with a sign.
    package var signedClockTime: gint64 { gint64(count) }
}
