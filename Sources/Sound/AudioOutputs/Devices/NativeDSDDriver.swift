import AudioFiles
import Coordination
import Glibc
import MusicModel
import Outputs

/// Plays DSD, which comes as DoP, on an ALSA device as it is; GStreamer's sinks don't take DSD before 1.24.
final class NativeDSDDriver: OutputDriver {
    private let specification: OutputSpecification
    private let form: NativeDSD
    private var stream: ALSAStream?
    private var packing: NativeDSDPacking
    private var waiting: [UInt8] = []
    private var written = 0
    private var places = SinkPlaces()
    private var isPaused = false
    /// When the device was given sound first since it waits for its beginning, on the monotonic clock.
    private var filledAt: Nanoseconds?

    init(_ specification: OutputSpecification, _ form: NativeDSD) {
        (self.specification, self.form) = (specification, form)
        packing = NativeDSDPacking(form, places: [0, 1])
    }

    func open(_ layout: SampleLayout) throws(OutputProblem) {
        let stream = try ALSAStream(
            specification.device ?? "default", form, rate: form.rate(ofDoP: layout.rate), channels: layout.channels,
            microseconds: specification.bufferMicroseconds ?? 200_000)
        self.stream = stream
        packing = NativeDSDPacking(form, places: stream.places)
        restart()
    }

    func close() {
        stream = nil
        isPaused = false
        restart()
    }

    private func restart() {
        packing = NativeDSDPacking(form, places: packing.places)
        (waiting, written, places, filledAt) = ([], 0, SinkPlaces(), nil)
    }

    var wantsMore: Bool { waiting.isEmpty }

    /// Looked after four times while the device plays what its buffer holds.
    var restMilliseconds: Int {
        guard !isPaused, let stream else { return 2000 }
        return waiting.isEmpty && filledAt == nil ? 100 : max(5, stream.bufferFrames * 250 / stream.rate)
    }

    func write(_ block: SampleBlock) throws(OutputProblem) {
        _ = places.add(from: block.start, to: block.end)
        let isEmpty = waiting.isEmpty
        waiting += packing.pack(block.samples)
        try push()
        // There was nothing that it could have been given.
        if isEmpty, block.followsWait { stream?.ranDry = false }
    }

    func takeGap() -> Nanoseconds? {
        guard let stream, stream.ranDry else { return nil }
        stream.ranDry = false
        return .zero
    }

    private func push() throws(OutputProblem) {
        guard !isPaused, let stream, !waiting.isEmpty else { return }
        let frames = try stream.write(waiting[...])
        written += frames
        waiting.removeFirst(frames * stream.frameSize)
        if frames > 0, filledAt == nil, stream.isWaiting { filledAt = Monotonic.now }
    }

    func poll() throws(OutputProblem) {
        try push()
        guard !isPaused, let stream, let filledAt else { return }
        // Too little sound for the device to begin on its own.
        if Monotonic.now - filledAt > Self.maxStart { stream.start() }
        if !stream.isWaiting { self.filledAt = nil }
    }

    /// By then a device has begun that is going to get more sound.
    private static let maxStart: Nanoseconds = .milliseconds(100)

    func drain() throws(OutputProblem) {
        waiting += packing.finish()
        let deadline = Monotonic.now + .seconds(1)
        while !isPaused, let stream, Monotonic.now < deadline {
            try push()
            if waiting.isEmpty {
                stream.start()
                if stream.delay == 0 { return }
            }
            usleep(5000)
        }
    }

    func flush() {
        stream?.discard()
        restart()
        if isPaused { _ = stream?.pause() }
    }

    func setPaused(_ isPaused: Bool) {
        guard isPaused != self.isPaused else { return }
        self.isPaused = isPaused
        guard let stream else { return }
        guard isPaused else { return stream.resume() }
        let again = stream.pause()
        written -= again.count / stream.frameSize
        waiting = again + waiting
    }

    var playedTo: Nanoseconds? {
        guard let stream, case let played = written - stream.delay, played > 0 else { return nil }
        return places.place(at: SampleLayout(rate: stream.rate, channels: packing.channels).length(frames: played))
    }
}
