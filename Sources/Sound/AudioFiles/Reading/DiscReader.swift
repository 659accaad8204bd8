import CSound
import Coordination
package import MusicModel

/// Reads what an audio CD says of its tracks.
package enum DiscReader {
    /// How long a drive may take to spin up and to read the disc's table of contents, in milliseconds.
    private static let patience = 30_000
    private static let maxTracks = 99

    /// The tracks of the disc in a drive, with their lengths and addresses, and titles where the disc has CD-Text.
    /// - Throws: `AudioFileError` when there is no disc, or it can't be read.
    /// - Isolation: blocks for seconds; call it on a thread that may wait.
    package static func tracks(device: String) throws -> [Song] {
        if let failure = GStreamerLibrary.failure {
            throw AudioFileError(message: "GStreamer doesn't work: \(failure)")
        }
        guard let pipeline = PipelineReference(launch: "identity name=next ! fakesink sync=false"),
            let next = pipeline.child("next"), let disc = segue_disc_source()
        else { throw AudioFileError(message: missing) }
        segue_bin_add(pipeline.element.pointer, disc)
        segue_disc_set_track(disc, device, 1)
        gst_element_link(disc, next.pointer)
        pipeline.setState(GST_STATE_PAUSED)
        defer { pipeline.setState(GST_STATE_NULL) }
        guard let message = pipeline.message(.any(GST_MESSAGE_TOC, GST_MESSAGE_ERROR), milliseconds: patience)
        else { throw AudioFileError(message: "the drive took too long to read the disc") }
        guard !message.isKind(GST_MESSAGE_ERROR)
        else { throw AudioFileError(message: failure(device, ErrorMessages.deviceText(of: message))) }
        let tracks = tracks(of: message, device)
        guard !tracks.isEmpty else { throw AudioFileError(message: "there is no audio CD in \(device)") }
        return tracks
    }

    /// The sentence for systems that can't play discs.
    package static let missing = "GStreamer's plug-in for audio CDs is missing: install gstreamer1.0-plugins-ugly"

    /// Why a disc can't be read, for a person.
    package static func failure(_ device: String, _ reason: String) -> String {
        "the disc in \(device) can't be read: \(reason); is there an audio CD in the drive, and may Segue read it?"
    }

    private static func tracks(of message: BusMessage, _ device: String) -> [Song] {
        var contents: OpaquePointer?
        var isUpdated: gboolean = 0
        gst_message_parse_toc(message.pointer, &contents, &isUpdated)
        guard let contents else { return [] }
        defer { segue_toc_unref(contents) }
        var tracks: [Song] = []
        let album = gst_toc_get_tags(contents).flatMap { TagReader($0).strings("album").first }
        var item = gst_toc_get_entries(contents)
        while let entry = item, tracks.count < maxTracks {
            item = entry.pointee.next
            guard let track = entry.pointee.data.map({ OpaquePointer($0) }) else { continue }
            tracks.append(song(track, number: tracks.count + 1, album: album, device))
        }
        return tracks
    }

    private static func song(_ track: OpaquePointer, number: Int, album: String?, _ device: String) -> Song {
        var (start, stop): (gint64, gint64) = (-1, -1)
        let hasTimes = gst_toc_entry_get_start_stop_times(track, &start, &stop) != 0 && start >= 0 && stop > start
        let length = hasTimes ? Nanoseconds(count: Int64(stop - start)) : .zero
        let tags = gst_toc_entry_get_tags(track).map { TagReader($0) }
        let number = tags?.unsigned("track-number") ?? number
        var values = [
            TagValue(.title, tags?.strings("title").first ?? "Track \(number)"), TagValue(.track, String(number)),
        ]
        if let artist = tags?.strings("artist").first { values.append(TagValue(.artist, artist)) }
        if let album { values.append(TagValue(.album, album)) }
        return Song(
            uri: DiscAddress(device: device, track: number).url, tags: values,
            duration: length > .zero && SoundLimits.isPlausible(length) ? length.duration : nil,
            format: AudioFormat(sampleRate: 44_100, sample: .integer(bits: 16), channels: 2))
    }
}
