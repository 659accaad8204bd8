import CSound
import Testing

/// A pipeline made from text, stopped and freed in the end.
private final class Pipeline {
    let bin: UnsafeMutablePointer<GstElement>

    init(_ text: String) throws {
        gst_init(nil, nil)
        bin = try #require(gst_parse_launch(text, nil))
    }

    deinit {
        gst_element_set_state(bin, GST_STATE_NULL)
        segue_unref(bin)
    }

    /// The element of that name, which the bin keeps.
    func element(_ name: String) throws -> UnsafeMutablePointer<GstElement> {
        let found = try #require(segue_bin_get(bin, name))
        segue_unref(found)
        return found
    }

    func play() { gst_element_set_state(bin, GST_STATE_PLAYING) }

    /// The samples of the next buffer at the sink `out`; nil at the end or after an error.
    func pull() throws -> [Float]? {
        guard let sample = segue_appsink_try_pull(try element("out"), 5_000_000_000) else { return nil }
        defer { segue_sample_unref(sample) }
        var map = GstMapInfo()
        let buffer = gst_sample_get_buffer(sample)
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
        defer { gst_buffer_unmap(buffer, &map) }
        return Array(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)).bindMemory(to: Float.self))
    }

    /// What the first error says that the pipeline posts within five seconds.
    func failure() -> String? {
        let bus = gst_element_get_bus(bin)
        defer { gst_object_unref(bus) }
        guard let message = gst_bus_timed_pop_filtered(bus, 5_000_000_000, GST_MESSAGE_ERROR) else { return nil }
        defer { segue_message_unref(message) }
        guard let error = segue_message_error(message) else { return nil }
        defer { g_error_free(error) }
        return String(cString: error.pointee.message)
    }
}

@Suite("What GStreamer calls in its own threads")
struct PipelineTests {
    private static func tone(_ caps: String) -> String {
        "audiotestsrc wave=square volume=1 num-buffers=20 samplesperbuffer=441 ! audio/x-raw,format=F32LE,\(caps) "
            + "! identity name=last ! appsink name=out sync=false max-buffers=1"
    }

    @Test("A volume is there with the first sound, and another one is reached without a jump")
    func volume() throws {
        let pipeline = try Pipeline(Self.tone("rate=44100,channels=2"))
        let volume = try #require(segue_add_volume(try pipeline.element("last")))
        segue_volume_set(volume, 0.5)
        segue_volume_begin(volume, 44_100, 2)
        pipeline.play()
        let first = try #require(try pipeline.pull())
        #expect(first.allSatisfy { abs(abs($0) - 0.5) < 0.001 })
        segue_volume_set(volume, 1)
        var loudness: [Float] = []
        while let samples = try pipeline.pull() {
            loudness += stride(from: 0, to: samples.count, by: 2).map { abs(samples[$0]) }
        }
        #expect(abs(try #require(loudness.last) - 1) < 0.001)
        #expect(zip(loudness, loudness.dropFirst()).allSatisfy { abs($1 - $0) < 0.01 })
    }

    @Test(
        "Sound beyond the limits is refused with an error that names them",
        arguments: [
            ("rate=500,channels=2", "500 Hz"), ("rate=192000,channels=2", "192000 Hz"),
            ("rate=44100,channels=5", "5 channels"),
        ])
    func limits(caps: String, named: String) throws {
        let pipeline = try Pipeline(Self.tone(caps))
        segue_limit_sound(try pipeline.element("last"), 1000, 96_000, 4, 1 << 20)
        pipeline.play()
        #expect(try #require(pipeline.failure()).contains(named))
    }

    @Test("A piece of sound that is too large is refused")
    func largePiece() throws {
        let pipeline = try Pipeline(Self.tone("rate=44100,channels=2"))
        segue_limit_sound(try pipeline.element("last"), 1000, 96_000, 4, 1000)
        pipeline.play()
        #expect(try #require(pipeline.failure()).contains("at most 1000 are taken"))
    }

    @Test("Sound within the limits passes as it is")
    func passes() throws {
        let pipeline = try Pipeline(Self.tone("rate=44100,channels=2"))
        segue_limit_sound(try pipeline.element("last"), 1000, 96_000, 4, 1 << 20)
        pipeline.play()
        var count = 0
        while let samples = try pipeline.pull() { count += samples.count }
        #expect(count == 20 * 441 * 2)
    }
}
