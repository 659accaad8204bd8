package import CSound
import Glibc
package import MusicModel

/// Reads values out of a GStreamer tag list, which it borrows.
package struct TagReader {
    private let list: UnsafePointer<GstTagList>

    /// Borrows a list for as long as the reader is used.
    package init(_ list: UnsafeMutablePointer<GstTagList>) { self.list = UnsafePointer(list) }
    /// Every text of a tag, in the file's order, cleaned of what the protocol can't carry.
    package func strings(_ tag: String) -> [String] { texts(tag).compactMap { Self.clean($0) } }

    private func texts(_ tag: String) -> [String] {
        (0..<gst_tag_list_get_tag_size(list, tag)).compactMap { index in
            var text: UnsafePointer<gchar>?
            guard gst_tag_list_peek_string_index(list, tag, index, &text) != 0, let text else { return nil }
            return String(cString: text)
        }
    }

    /// The words of the song with their line ends, those with times first; nil without any.
    var lyrics: String? {
        let others = Self.pairs(texts("extended-comment"))
        func named(_ name: String) -> String? { others.first { $0.name == name }?.value }
        return named("SYNCEDLYRICS") ?? texts("lyrics").first ?? named("LYRICS") ?? named("UNSYNCEDLYRICS")
            ?? named("UNSYNCED LYRICS")
    }

    var cueSheet: CueSheet? {
        CueSheet(tag: Self.pairs(texts("extended-comment")).first { $0.name == "CUESHEET" }?.value)
    }

    /// The first number of a tag.
    package func unsigned(_ tag: String) -> Int? {
        var value: guint = 0
        return gst_tag_list_get_uint_index(list, tag, 0, &value) != 0 ? Int(value) : nil
    }

    func double(_ tag: String) -> Double? {
        var value: gdouble = 0
        return gst_tag_list_get_double_index(list, tag, 0, &value) != 0 ? value : nil
    }

    var date: String? {
        var year: gint = 0
        var month: gint = 0
        var day: gint = 0
        var moment: OpaquePointer?
        if gst_tag_list_get_date_time_index(list, "datetime", 0, &moment) != 0, let moment {
            segue_date_time_parts(moment, &year, &month, &day)
            gst_date_time_unref(moment)
        } else {
            var date: UnsafeMutablePointer<GDate>?
            guard gst_tag_list_get_date_index(list, "date", 0, &date) != 0, let date else { return nil }
            segue_date_parts(date, &year, &month, &day)
            g_date_free(date)
        }
        return Self.iso(year: Int(year), month: Int(month), day: Int(day))
    }

    private static func iso(year: Int, month: Int, day: Int) -> String? {
        let parts = [(year, 4), (month, 2), (day, 2)].prefix { $0.0 > 0 }.map { number, width in
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        return parts.isEmpty ? nil : parts.joined(separator: "-")
    }

    /// The loudness values; Opus files have them in tags of their own.
    package var replayGain: ReplayGain {
        ReplayGain(
            trackGain: double("replaygain-track-gain") ?? loudness("R128_TRACK_GAIN"),
            trackPeak: double("replaygain-track-peak"),
            albumGain: double("replaygain-album-gain") ?? loudness("R128_ALBUM_GAIN"),
            albumPeak: double("replaygain-album-peak"))
    }

    /// A gain in 256ths of a decibel towards -23 LUFS, brought to ReplayGain's louder reference.
    /// - Source: RFC 7845, 5.2.1; 5 dB as MPD and Navidrome add. The decoder applies the gain in the stream's header.
    private func loudness(_ name: String) -> Double? {
        let text = extended.first { $0.name == name }?.value
        return text.flatMap { Int($0) }.map { Double($0) / 256 + 5 }
    }

    /// Comments whose names GStreamer has no tag for, as upper-case name and value.
    package var extended: [(name: String, value: String)] { Self.pairs(strings("extended-comment")) }

    private static func pairs(_ texts: [String]) -> [(name: String, value: String)] {
        texts.compactMap { text in
            guard let equals = text.firstIndex(of: "=") else { return nil }
            let name = text[..<equals].split(separator: "[").first.map(String.init) ?? ""
            return (name.uppercased(), String(text[text.index(after: equals)...]))
        }
    }

    var picture: (bytes: [UInt8], mimeType: String)? {
        var first: (bytes: [UInt8], mimeType: String)?
        for tag in ["image", "preview-image"] {
            for index in 0..<min(64, gst_tag_list_get_tag_size(list, tag)) {
                var sample: OpaquePointer?
                guard gst_tag_list_get_sample_index(list, tag, index, &sample) != 0, let sample else { continue }
                defer { segue_sample_unref(sample) }
                let isFront = segue_sample_is_front_cover(sample) != 0
                guard first == nil || isFront, let picture = Self.picture(sample) else { continue }
                if isFront { return picture }
                first = picture
            }
        }
        return first
    }

    var hasPicture: Bool {
        gst_tag_list_get_tag_size(list, "image") > 0 || gst_tag_list_get_tag_size(list, "preview-image") > 0
    }

    private static func picture(_ sample: OpaquePointer) -> (bytes: [UInt8], mimeType: String)? {
        guard let buffer = gst_sample_get_buffer(sample), let caps = gst_sample_get_caps(sample),
            let structure = gst_caps_get_structure(caps, 0), let name = gst_structure_get_name(structure)
        else { return nil }
        let told = String(cString: name)
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
        defer { gst_buffer_unmap(buffer, &map) }
        let bytes = UnsafeRawBufferPointer(start: map.data, count: Int(map.size))
        // Some are taken for films of one picture.
        let mimeType = told.hasPrefix("image/") ? told : PictureSignature.mimeType(bytes)
        return mimeType.map { (Array(bytes), $0) }
    }

    /// Line feeds and other control characters become spaces; blanks at the ends go.
    static func clean(_ text: String) -> String? {
        var bytes = Array(text.withoutControls.utf8)
        while bytes.last == 0x20 { bytes.removeLast() }
        let start = bytes.firstIndex { $0 != 0x20 } ?? bytes.count
        guard start < bytes.count else { return nil }
        return String(decoding: bytes[start...], as: UTF8.self)
    }
}
