import CGStreamer
import MusicModel

/// Plays through a GStreamer sink that keeps time: a sound device, or `fakesink` for `null`.
final class SinkDriver: OutputDriver {
    /// Where a stretch of the pipeline's time lies in the timeline.
    private struct Anchor {
        var stamp: Int64
        var place: Int64
    }

    let isLive = true
    private let specification: OutputSpecification
    private var pipeline: PipelineReference?
    private var source: ElementReference?
    private var sink: ElementReference?
    private var layout: SampleLayout?
    private var isPaused = false
    private var isRunning = false
    private var anchors: [Anchor] = []
    private var nextStamp: Int64 = 0
    private var nextPlace: Int64 = 0

    init(_ specification: OutputSpecification) { self.specification = specification }

    func prepare() throws(OutputProblem) {}

    // MARK: Opening and closing

    func open(_ layout: SampleLayout) throws(OutputProblem) {
        if let failure = GStreamerLibrary.failure { throw OutputProblem("GStreamer doesn't work: \(failure)") }
        var problem = OutputProblem("no sound device works")
        for element in elements {
            do throws(OutputProblem) { return try open(element) } catch {
                close()
                if elements.count == 1 { problem = error }
            }
        }
        throw problem
    }

    private func open(_ element: String) throws(OutputProblem) {
        guard GStreamerLibrary.has(element) else {
            throw OutputProblem("GStreamer's \(element) is missing: install \(EngineCheck.package(of: element))")
        }
        let description = """
            appsrc name=source format=time block=false max-bytes=0 ! audioconvert dithering=none ! audioresample ! \
            \(capsFilter)\(element) name=sink
            """
        guard let pipeline = PipelineReference(launch: description), let source = pipeline.child("source"),
            let sink = pipeline.child("sink")
        else { throw OutputProblem("GStreamer's base plug-ins are missing (gstreamer1.0-plugins-base)") }
        setUp(sink)
        (self.pipeline, self.source, self.sink) = (pipeline, source, sink)
        let isOpen = pipeline.setState(GST_STATE_READY)
        try throwError(of: pipeline, or: isOpen ? nil : "the device can't be opened")
        restart()
    }

    /// The sinks to try. For `auto` that is a list of our own: `autoaudiosink` goes on silently with a fake sink when
    /// nothing works, and also tries sinks that write to standard error.
    private var elements: [String] {
        switch specification.type {
        case .alsa: ["alsasink"]
        case .pulse: ["pulsesink"]
        case .pipewire: ["pipewiresink"]
        case .null: ["fakesink"]
        case .auto, .fifo, .file: ["pulsesink", "pipewiresink", "alsasink"]
        }
    }

    private var capsFilter: String {
        guard let format = specification.format else { return "" }
        let rate = format.sampleRate > 0 ? ",rate=\(format.sampleRate)" : ""
        let channels = format.channels > 0 ? ",channels=\(format.channels)" : ""
        let sample =
            switch format.sample {
            case .integer(bits: 16): ",format=S16LE"
            case .integer(bits: 24): ",format={S24LE,S24_32LE}"
            case .integer(bits: 32): ",format=S32LE"
            case .float: ",format=F32LE"
            default: ""
            }
        return "audio/x-raw\(sample)\(rate)\(channels) ! "
    }

    /// How much a device's buffer holds, in microseconds.
    private static let bufferTime: gint64 = 150_000

    private func setUp(_ sink: ElementReference) {
        if specification.type == .null { segue_set_boolean(sink.pointer, "sync", 1) }
        for name in ["enable-last-sample"] where segue_has_property(sink.pointer, name) != 0 {
            segue_set_boolean(sink.pointer, name, 0)
        }
        if segue_has_property(sink.pointer, "buffer-time") != 0 {
            segue_set_int64(sink.pointer, "buffer-time", Self.bufferTime)
            segue_set_int64(sink.pointer, "latency-time", 15_000)
        }
        if segue_has_property(sink.pointer, "client-name") != 0 {
            segue_set_string(sink.pointer, "client-name", "Segue")
        }
        guard let device = specification.device else { return }
        for name in ["device", "target-object"] where segue_has_property(sink.pointer, name) != 0 {
            segue_set_string(sink.pointer, name, device)
        }
    }

    func close() {
        pipeline?.setState(GST_STATE_NULL)
        (pipeline, source, sink, layout) = (nil, nil, nil, nil)
        (isPaused, isRunning, anchors) = (false, false, [])
    }

    /// Makes the pipeline start anew with the next block.
    private func restart() {
        (layout, isRunning, anchors, nextStamp) = (nil, false, [], 0)
    }

    // MARK: Playing

    /// What the device's buffer holds and a little more; the rest waits where the volume can still reach it.
    private var reach: Int64 { specification.type == .null ? 100_000_000 : Int64(Self.bufferTime) * 1000 + 50_000_000 }

    var wantsMore: Bool {
        guard layout != nil else { return true }
        guard isRunning, let playedTo else { return nextStamp < reach }
        return nextPlace - playedTo < reach
    }

    func write(_ block: SampleBlock) throws(OutputProblem) {
        guard let pipeline, let source else { return }
        if layout != block.layout {
            if layout != nil {
                try drain()
                pipeline.setState(GST_STATE_READY)
                restart()
            }
            try begin(block.layout)
        }
        skipWhatIsLate()
        if anchors.isEmpty || block.start != nextPlace { anchors.append(Anchor(stamp: nextStamp, place: block.start)) }
        guard let buffer = Self.buffer(block, stamp: nextStamp) else { throw OutputProblem("out of memory") }
        nextStamp += block.duration
        nextPlace = block.end
        if segue_appsrc_push(source.pointer, buffer) != GST_FLOW_OK {
            try throwError(of: pipeline, or: "the device takes no more sound")
        }
    }

    private func begin(_ layout: SampleLayout) throws(OutputProblem) {
        guard let pipeline, let source else { return }
        let text = "audio/x-raw,format=F32LE,layout=interleaved,rate=\(layout.rate),channels=\(layout.channels)"
        guard let caps = gst_caps_from_string(text) else { return }
        defer { segue_caps_unref(caps) }
        segue_set_caps(source.pointer, "caps", caps)
        let isStarted = pipeline.setState(isPaused ? GST_STATE_PAUSED : GST_STATE_PLAYING)
        try throwError(of: pipeline, or: isStarted ? nil : "the device can't play")
        self.layout = layout
    }

    /// After a gap, sound stamped for a time gone by would be thrown away by the sink; it is stamped anew.
    private func skipWhatIsLate() {
        guard isRunning, !isPaused, let pipeline else { return }
        let now = gst_element_get_current_running_time(pipeline.element.pointer)
        guard now != guint64.max, Int64(clamping: now) > nextStamp else { return }
        nextStamp = Int64(clamping: now) + 30_000_000
        anchors.append(Anchor(stamp: nextStamp, place: nextPlace))
    }

    /// Waits until the device has played what it has, for at most a second.
    private func drain() throws(OutputProblem) {
        let deadline = Monotonic.now + 1_000_000_000
        while !isPaused, let playedTo, playedTo < nextPlace, Monotonic.now < deadline { try wait() }
    }

    private func wait() throws(OutputProblem) {
        guard let pipeline else { return }
        if let message = pipeline.message(GST_MESSAGE_ERROR, milliseconds: 5) {
            throw OutputProblem(ErrorMessages.text(of: message))
        }
    }

    private static func buffer(_ block: SampleBlock, stamp: Int64) -> UnsafeMutablePointer<GstBuffer>? {
        block.samples.withUnsafeBytes { bytes in
            guard let buffer = gst_buffer_new_allocate(nil, gsize(bytes.count), nil) else { return nil }
            gst_buffer_fill(buffer, 0, bytes.baseAddress, gsize(bytes.count))
            buffer.pointee.pts = guint64(max(0, stamp))
            buffer.pointee.duration = guint64(max(0, block.duration))
            return buffer
        }
    }

    func flush() {
        pipeline?.setState(GST_STATE_READY)
        restart()
    }

    func setPaused(_ isPaused: Bool) {
        self.isPaused = isPaused
        guard layout != nil else { return }
        pipeline?.setState(isPaused ? GST_STATE_PAUSED : GST_STATE_PLAYING)
    }

    func poll() throws(OutputProblem) {
        guard let pipeline else { return }
        try throwError(of: pipeline, or: nil)
    }

    private func throwError(of pipeline: PipelineReference, or other: String?) throws(OutputProblem) {
        if let message = pipeline.message(GST_MESSAGE_ERROR, milliseconds: 0) {
            throw OutputProblem(ErrorMessages.text(of: message))
        }
        if let other { throw OutputProblem(other) }
    }

    var playedTo: Int64? {
        guard layout != nil, let sink else { return nil }
        var position: gint64 = -1
        guard gst_element_query_position(sink.pointer, GST_FORMAT_TIME, &position) != 0, position >= 0 else {
            return isRunning ? anchors.last?.place : nil
        }
        if !isRunning, position == 0 { return nil }
        isRunning = true
        while anchors.count > 1, anchors[1].stamp <= Int64(position) { anchors.removeFirst() }
        guard let anchor = anchors.first else { return nil }
        let limit = anchors.count > 1 ? anchors[1].place : nextPlace
        return min(limit, anchor.place + max(0, Int64(position) - anchor.stamp))
    }
}
