import AudioFiles
import CSound
import Coordination
import MusicModel
import Outputs

/// Plays through a GStreamer sink that keeps time: a sound device.
///
/// The device gets the song's own rate and samples where it takes them. Where it doesn't, everything is converted here,
/// so that songs of different rates join; the converting elements of the pipeline are for devices that take nothing
/// else.
final class SinkDriver: OutputDriver {
    private let specification: OutputSpecification
    private let element: String
    private var pipeline: PipelineReference?
    private var source: ElementReference?
    private var sink: ElementReference?
    private var device: DeviceFormats?
    private var format: AudioFormat?
    private var converter: SampleConverter?
    private var isPaused = false
    private var isRunning = false
    private var places = SinkPlaces()
    private var isDoP = false
    private let pcmBeforeDSD: PCMBeforeDSD
    private let mixer: StreamMixer?
    /// The thread that writes to the device; the pipeline's. Only of drivers that have been seen running in circles.
    private var writer: OpaquePointer?
    private var load = ThreadLoad()
    /// Knows when the device had nothing to play; the sink's.
    private var gaps: OpaquePointer?
    private(set) var compromise: String?

    init(_ specification: OutputSpecification, element: String, mixer: StreamMixer? = nil, pcm: PCMBeforeDSD? = nil) {
        self.specification = specification
        pcmBeforeDSD = pcm ?? PCMBeforeDSD(specification)
        self.element = element
        bufferTime = gint64(specification.bufferMicroseconds ?? (element == "alsasink" ? 200_000 : 150_000))
        self.mixer = specification.mixerType == .hardware ? mixer : nil
    }

    // MARK: Opening and closing

    func open(_ layout: SampleLayout) throws(OutputProblem) {
        do throws(OutputProblem) { try open() } catch {
            close()
            throw explained(error)
        }
    }

    private func explained(_ problem: OutputProblem) -> OutputProblem {
        guard specification.type == .pipewire, specification.mixerType == .hardware else { return problem }
        return OutputProblem(
            "\(problem.message) (for mixer_type = \"hardware\" PipeWire needs pipewire-pulse; is it running?)",
            cause: problem)
    }

    private func text(of message: BusMessage) -> String {
        let hint =
            switch element {
            case "pulsesink": "does the sound server run, and is a device connected?"
            case "jackaudiosink": "does the JACK server run?"
            default: "is the device connected, and free?"
            }
        return "\(ErrorMessages.deviceText(of: message)); \(hint)"
    }

    private func open() throws(OutputProblem) {
        try EngineCheck.require(element)
        let description = """
            appsrc name=source format=time block=false max-bytes=0 ! audioconvert dithering=none ! \
            audioresample quality=10 ! \(WatchedSink.name(of: element)) name=sink
            """
        guard let pipeline = PipelineReference(launch: description), let source = pipeline.child("source"),
            let sink = pipeline.child("sink")
        else { throw OutputProblem("GStreamer's base plug-ins are missing (gstreamer1.0-plugins-base)") }
        setUp(sink)
        (self.pipeline, self.source, self.sink) = (pipeline, source, sink)
        if scalesItself { scale = segue_add_volume(source.pointer) }
        let watch = segue_watch_sink(pipeline.element.pointer, sink.pointer, gint(specification.realtimePriority ?? 0))
        if element == "alsasink" { writer = watch }
        gaps = segue_gaps_watch(sink.pointer)
        let isOpen = pipeline.setState(GST_STATE_READY)
        try throwError(of: pipeline, or: isOpen ? nil : "the device can't be opened")
        // ALSA makes 24 bits of floats, for a device of whole numbers.
        device = DeviceFormats(sink, prefersIntegers: element == "alsasink")
        restart()
    }

    private var buffer: SinkBuffer {
        SinkBuffer(ahead: Int(bufferTime), hasRing: element == "alsasink", isScaledLate: scalesItself)
    }

    /// How much is given ahead of hearing, in microseconds, in addition to what the device itself adds.
    private let bufferTime: gint64

    private func setUp(_ sink: ElementReference) {
        func has(_ name: String) -> Bool { segue_has_property(sink.pointer, name) != 0 }
        func set(_ name: String, _ value: String?) {
            if let value, has(name) { segue_set_string(sink.pointer, name, value) }
        }
        if has("enable-last-sample") { segue_set_boolean(sink.pointer, "enable-last-sample", 0) }
        if has("buffer-time") {
            segue_set_int64(sink.pointer, "buffer-time", gint64(buffer.deviceTime))
            segue_set_int64(sink.pointer, "latency-time", gint64(buffer.periodTime))
        }
        set("client-name", "Segue")
        set("server", specification.server)
        set("device", specification.device)
        set("port-pattern", specification.device)
    }

    func close() {
        mixer?.close()
        pipeline?.setState(GST_STATE_NULL)
        (pipeline, source, sink, device, scale, writer, gaps) = (nil, nil, nil, nil, nil, nil, nil)
        isPaused = false
        restart()
    }

    private func restart() {
        (format, converter) = (nil, nil)
        (isRunning, places) = (false, SinkPlaces())
        if let gaps { segue_gaps_interrupt(gaps) }
    }

    // MARK: Volume

    private var scale: UnsafeMutablePointer<SegueVolume>?

    /// These devices compute with floats; sound in integers has to be scaled before it is rounded.
    var scalesItself: Bool {
        guard element != "alsasink" else { return false }
        let sample = specification.format?.sample ?? .unknown
        let allowed = specification.allowed.formats.map(\.sample)
        return ([sample] + allowed).allSatisfy { $0 == .unknown || $0 == .float }
    }

    func setVolume(_ factor: Float) { if let scale { segue_volume_set(scale, factor) } }

    // MARK: Playing

    /// The device's buffer takes what it can hold; only what doesn't fit waits here. What is heard is no measure for
    /// that: some devices play a quarter of a second after they have taken something.
    ///
    /// In the beginning all that it can hold is given at once: some devices begin only when they are full.
    var wantsMore: Bool { waiting <= buffer.stock || places.nextStamp < .microseconds(Int(bufferTime)) }

    private var waiting: Int {
        guard let source, let format else { return 0 }
        return Int(segue_get_uint64(source.pointer, "current-level-bytes")) * 1000 / byteRate(format)
    }

    private func byteRate(_ format: AudioFormat) -> Int { format.sampleRate * format.frameSize }

    private var ahead: Nanoseconds? {
        guard format != nil else { return nil }
        guard isRunning, let playedTo else { return places.nextStamp }
        return places.nextPlace - playedTo
    }

    var restMilliseconds: Int {
        // Only to notice that the device went away.
        if isPaused { return 2000 }
        guard isRunning, let ahead else { return isRunning ? 100 : 20 }
        let (waiting, stock) = (waiting, buffer.stock)
        if waiting > stock { return waiting - stock + 2 }
        let untilEnd = (ahead - Self.ending).milliseconds
        return converter?.holdsBack == true ? max(5, min(100, untilEnd)) : 100
    }

    func write(_ block: SampleBlock) throws(OutputProblem) {
        guard pipeline != nil, source != nil else { return }
        if !goesOn(with: block) {
            let suited = suitedFormat(for: block)
            if let format, suited != format {
                try pushRest()
                try drain()
                flush()
            }
            if format == nil {
                if block.isDoP { try beginWithPCM(before: block.layout) }
                try begin(suited)
                let wanted = block.isDoP ? nil : specification.wantedFormat(for: block.layout)
                compromise = wanted.flatMap(suited.compromise)
            }
            isDoP = block.isDoP
        }
        pcmBeforeDSD.note(block)
        skipWhatIsLate()
        let stamp = places.add(from: block.start, to: block.end)
        if block.followsWait, let gaps { segue_gaps_excuse(gaps, stamp.clockTime) }
        let bytes = converter?.convert(block) ?? []
        try push(bytes, stamp: stamp, duration: block.duration)
    }

    /// True if a block is like the one before, so that the device needs no other format.
    private func goesOn(with block: SampleBlock) -> Bool {
        guard block.isDoP else { return !isDoP && converter?.layout == block.layout }
        return isDoP && format.map { SampleLayout(rate: $0.sampleRate, channels: $0.channels) } == block.layout
    }

    private func suitedFormat(for block: SampleBlock) -> AudioFormat {
        if block.isDoP, let format = device?.carrier(for: block.layout, wanted: specification.format) { return format }
        return suitedFormat(for: block.layout)
    }

    private func suitedFormat(for layout: SampleLayout) -> AudioFormat {
        let wanted = specification.wantedFormat(for: layout)
        return device?.best(for: layout, wanted: wanted) ?? wanted.filled(layout)
    }

    /// Of `auto`'s devices ALSA's default one takes any number of channels, and discards those that the hardware lacks.
    func channels(for layout: SampleLayout) -> Int {
        if specification.type == .auto, element == "alsasink" { return min(2, layout.channels) }
        return suitedFormat(for: layout).channels
    }

    func takesDoP(_ layout: SampleLayout) -> Bool { device?.carrier(for: layout, wanted: specification.format) != nil }

    private func beginWithPCM(before dsd: SampleLayout) throws(OutputProblem) {
        guard pcmBeforeDSD.beginsNow(before: dsd) else { return }
        let layout = SampleLayout(rate: 44_100, channels: 2)
        guard let format = device?.best(for: layout, wanted: nil), format.sampleRate == layout.rate else { return }
        try begin(format)
        try push(
            [UInt8](repeating: 0, count: format.frameSize * 4410), stamp: .zero, duration: .milliseconds(100))
        let deadline = Monotonic.now + .milliseconds(400)
        while !isPaused, Monotonic.now < deadline, (played ?? .zero) < .milliseconds(90) { try wait() }
        flush()
    }

    private var played: Nanoseconds? {
        var position: gint64 = -1
        guard let sink, gst_element_query_position(sink.pointer, GST_FORMAT_TIME, &position) != 0, position >= 0 else {
            return nil
        }
        return Nanoseconds(count: Int64(position))
    }

    private func begin(_ format: AudioFormat) throws(OutputProblem) {
        guard let pipeline, let source else { return }
        let converter = try SampleConverter(to: format)
        guard let text = device?.capsText(format) ?? format.capsText, let caps = gst_caps_from_string(text) else {
            throw OutputProblem("the format \(format.wireText) is not supported")
        }
        defer { segue_caps_unref(caps) }
        segue_set_caps(source.pointer, "caps", caps)
        if let scale { segue_volume_begin(scale, gint(format.sampleRate), gint(format.channels)) }
        let isStarted = pipeline.setState(isPaused ? GST_STATE_PAUSED : GST_STATE_PLAYING)
        try throwError(of: pipeline, or: isStarted ? nil : "the device can't play")
        (self.format, self.converter) = (format, converter)
        if let sink { mixer?.attach(sink) }
    }

    private func push(_ bytes: [UInt8], stamp: Nanoseconds, duration: Nanoseconds) throws(OutputProblem) {
        guard let pipeline, let source, let format, !bytes.isEmpty else { return }
        func place(_ byte: Int) -> Nanoseconds { duration * byte / bytes.count }
        let piece = max(format.frameSize, byteRate(format) * buffer.piece / 1000 / format.frameSize * format.frameSize)
        for start in stride(from: 0, to: bytes.count, by: piece) {
            let end = min(start + piece, bytes.count)
            let (from, to) = (place(start), place(end))
            let buffer = bytes[start..<end].withUnsafeBytes {
                SoundBuffer.make($0, stamp: stamp + from, duration: to - from)
            }
            guard let buffer else { throw OutputProblem("out of memory") }
            if segue_appsrc_push(source.pointer, buffer) != GST_FLOW_OK {
                try throwError(of: pipeline, or: "the device takes no more sound")
            }
        }
    }

    /// With so little left to play, nothing is going to join on.
    private static let ending: Nanoseconds = .milliseconds(40)

    private func pushRest() throws(OutputProblem) {
        guard let converter, converter.holdsBack else { return }
        let rest = converter.finish()
        // It is a millisecond or two; the device goes by the number of samples.
        try push(rest, stamp: places.nextStamp, duration: .zero)
    }

    /// After a gap, sound stamped for a time gone by would be thrown away by the sink; it gets a new stamp.
    private func skipWhatIsLate() {
        guard isRunning, !isPaused, let pipeline else { return }
        // Just after the beginning a device's clock may stand before it, and none is -1: both are below zero here.
        let now = gst_element_get_current_running_time(pipeline.element.pointer)
        // ALSA's device has silence already that it plays first.
        let given: Nanoseconds = buffer.hasRing ? .microseconds(buffer.deviceTime) : .zero
        places.skip(to: Nanoseconds(count: Int64(bitPattern: UInt64(now))), lead: given + SinkPlaces.minLead)
    }

    private func drain() throws(OutputProblem) {
        let deadline = Monotonic.now + .seconds(1)
        while !isPaused, let playedTo, playedTo < places.nextPlace, Monotonic.now < deadline { try wait() }
    }

    private func wait() throws(OutputProblem) {
        guard let pipeline else { return }
        if let message = pipeline.message(GST_MESSAGE_ERROR, milliseconds: 5) { throw OutputProblem(text(of: message)) }
    }

    func flush() {
        mixer?.detach()
        pipeline?.setState(GST_STATE_READY)
        restart()
    }

    func setPaused(_ isPaused: Bool) {
        self.isPaused = isPaused
        guard format != nil else { return }
        if let gaps { segue_gaps_interrupt(gaps) }
        pipeline?.setState(isPaused ? GST_STATE_PAUSED : GST_STATE_PLAYING)
        if let gaps { segue_gaps_interrupt(gaps) }
    }

    func takeGap() -> Nanoseconds? {
        let missing = gaps.map(segue_gaps_take) ?? 0
        return missing > 0 ? Nanoseconds(count: Int64(missing)) : nil
    }

    func poll() throws(OutputProblem) {
        guard let pipeline else { return }
        mixer?.poll()
        try throwError(of: pipeline, or: nil)
        // ALSA's plug-in for PulseAudio does so when its server has ended, and says nothing.
        if let writer, load.isRestless(segue_sink_thread(writer), at: Monotonic.now) {
            throw OutputProblem("the device takes all of a processor and plays nothing; has its sound server ended?")
        }
        if isRunning, !isPaused, let ahead, ahead < Self.ending { try pushRest() }
    }

    private func throwError(of pipeline: PipelineReference, or other: String?) throws(OutputProblem) {
        if let message = pipeline.message(GST_MESSAGE_ERROR, milliseconds: 0) { throw OutputProblem(text(of: message)) }
        if let other { throw OutputProblem(other) }
    }

    var playedTo: Nanoseconds? {
        guard format != nil, sink != nil else { return nil }
        guard let played else { return isRunning ? places.last : nil }
        if !isRunning, played == .zero { return nil }
        isRunning = true
        return places.place(at: played)
    }
}

enum WatchedSink {
    /// The element in place of one of GStreamer's: itself where there is no other.
    static func name(of element: String) -> String { element == "alsasink" && hasALSA ? alsa : element }

    private static let alsa = "segue-alsasink"
    private static let hasALSA = segue_gaps_register_alsa(alsa) != 0
}
