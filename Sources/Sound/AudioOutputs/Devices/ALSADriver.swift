import AudioFiles
import Coordination
import Glibc
import MusicModel
import Outputs

/// Plays through an ALSA device that gets DSD as it is, and other sound by GStreamer's sink.
///
/// Either has the device for itself: one is closed before the other one opens.
final class ALSADriver: OutputDriver {
    private let specification: OutputSpecification
    private let sink: SinkDriver
    private let pcmBeforeDSD: PCMBeforeDSD
    /// The driver that has the device, if that is not the sink.
    private var native: NativeDSDDriver?
    private var nativeLayout = SampleLayout(rate: 1, channels: 1)
    /// The forms of DSD that the device takes, by the layout of the same bits as DoP; nil before it was asked.
    private var forms: [SampleLayout: NativeDSD]?
    private var isPaused = false
    /// The position behind the last sound that the sink got since it was opened or flushed.
    private var sinkEnd: Nanoseconds = .zero

    init(_ specification: OutputSpecification) {
        self.specification = specification
        pcmBeforeDSD = PCMBeforeDSD(specification)
        sink = SinkDriver(specification, element: "alsasink", pcm: pcmBeforeDSD)
    }

    func open(_ layout: SampleLayout) throws(OutputProblem) {
        isPaused = false
        sinkEnd = .zero
        do throws(OutputProblem) { try sink.open(layout) } catch {
            // Another device may be there the next time.
            forms = nil
            throw error
        }
        guard forms == nil else { return }
        sink.close()
        forms = ALSAStream.forms(of: specification.device ?? "default", rates: Self.rates)
        try sink.open(layout)
    }

    /// The rates of DoP with the bits of DSD64 to DSD512.
    private static let rates = [176_400, 352_800, 705_600, 1_411_200]

    func close() {
        native?.close()
        native = nil
        sink.close()
    }

    // MARK: Which of them has the device

    private var active: any OutputDriver { native ?? sink }

    /// The form in which the device gets the bits of DoP as they are; nil where it gets them otherwise.
    private func form(of layout: SampleLayout) -> NativeDSD? {
        let sound = AudioFormat(sampleRate: layout.rate * 2, sample: .dsd, channels: layout.channels)
        return specification.takesNativeDSD(sound) ? forms?[layout] : nil
    }

    private func giveToNative(_ layout: SampleLayout, _ form: NativeDSD) throws(OutputProblem) {
        if native != nil, nativeLayout == layout { return }
        if native == nil { try drainSink(for: .seconds(1)) } else { try endNative() }
        try beginWithPCM(before: layout)
        sink.close()
        let driver = NativeDSDDriver(specification, form)
        do throws(OutputProblem) { try driver.open(layout) } catch {
            // It said that it takes this; the next block is refused, and the engine decodes the song.
            forms?[layout] = nil
            throw error
        }
        driver.setPaused(isPaused)
        (native, nativeLayout) = (driver, layout)
    }

    private func giveToSink(_ layout: SampleLayout) throws(OutputProblem) {
        guard native != nil else { return }
        try endNative()
        sinkEnd = .zero
        try sink.open(layout)
        sink.setPaused(isPaused)
    }

    private func endNative() throws(OutputProblem) {
        try native?.drain()
        native?.close()
        native = nil
    }

    /// Plays a little silence as PCM by the sink before one-bit sound, where that is due.
    private func beginWithPCM(before layout: SampleLayout) throws(OutputProblem) {
        guard !isPaused, pcmBeforeDSD.beginsNow(before: layout) else { return }
        let silence = SampleBlock.silence(.milliseconds(100), SampleLayout(rate: 44_100, channels: 2))
        sink.close()
        try sink.open(silence.layout)
        sink.setPaused(false)
        try sink.write(silence)
        sinkEnd = silence.end
        try drainSink(for: .milliseconds(400))
        // The silence was none of the music.
        pcmBeforeDSD.fulfil()
    }

    /// Waits until the sink has played what it got, but no longer than that.
    private func drainSink(for longest: Nanoseconds) throws(OutputProblem) {
        let deadline = Monotonic.now + longest
        while !isPaused, Monotonic.now < deadline {
            // It knows no position before it begins.
            guard (sink.playedTo ?? .zero) < sinkEnd else { return }
            try sink.poll()
            usleep(5000)
        }
    }

    // MARK: Playing

    func takesDoP(_ layout: SampleLayout) -> Bool {
        if form(of: layout) != nil { return true }
        let sound = AudioFormat(sampleRate: layout.rate * 2, sample: .dsd, channels: layout.channels)
        guard specification.takesDoP(sound) else { return false }
        // A device that something else has can't be asked.
        do throws(OutputProblem) { try giveToSink(layout) } catch { return false }
        return sink.takesDoP(layout)
    }

    func write(_ block: SampleBlock) throws(OutputProblem) {
        if block.isDoP, let form = form(of: block.layout) {
            try giveToNative(block.layout, form)
            pcmBeforeDSD.note(block)
            try native?.write(block)
        } else {
            try giveToSink(block.layout)
            try sink.write(block)
            sinkEnd = block.end
        }
    }

    func channels(for layout: SampleLayout) -> Int {
        do throws(OutputProblem) { try giveToSink(layout) } catch { return layout.channels }
        return sink.channels(for: layout)
    }

    var wantsMore: Bool { active.wantsMore }
    var restMilliseconds: Int { active.restMilliseconds }
    var playedTo: Nanoseconds? { active.playedTo }

    func flush() {
        sinkEnd = .zero
        active.flush()
    }

    func setPaused(_ isPaused: Bool) {
        self.isPaused = isPaused
        active.setPaused(isPaused)
    }

    func poll() throws(OutputProblem) { try active.poll() }

    func takeGap() -> Nanoseconds? { active.takeGap() }

    var compromise: String? { active.compromise }
}
