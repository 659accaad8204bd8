package import CSound
import Coordination

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
