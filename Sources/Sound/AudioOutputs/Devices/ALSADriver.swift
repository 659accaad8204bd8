import AudioFiles
import Coordination
import Glibc
import MusicModel
import Outputs

/// Plays through an ALSA device that gets DSD as it is, and other sound by GStreamer's sink: only one has it open.
final class ALSADriver: DelegatingDriver {
    private let specification: OutputSpecification
    private let sink: SinkDriver
    private let pcmBeforeDSD: PCMBeforeDSD
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

    var active: (any OutputDriver)? { native ?? sink }

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

    private func drainSink(for longest: Nanoseconds) throws(OutputProblem) {
        let deadline = Monotonic.now + longest
        while !isPaused, Monotonic.now < deadline {
            // It knows no position before it begins.
            guard (sink.playedTo ?? .zero) < sinkEnd else { return }
            try sink.poll()
            usleep(5000)
        }
    }

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

    func flush() {
        sinkEnd = .zero
        active?.flush()
    }

    func setPaused(_ isPaused: Bool) {
        self.isPaused = isPaused
        active?.setPaused(isPaused)
    }
}

/// Says when a device has to be given a little PCM before one-bit sound, for receivers that keep the rate of what came
/// before (`thesycon_dsd_workaround`).
///
/// The drivers that share a device share this.
/// - Source: MPD v0.24.13 src/output/plugins/AlsaOutputPlugin.cxx `AlsaOutput::Open`.
final class PCMBeforeDSD {
    private let isOn: Bool
    private var isNeeded = true

    init(_ specification: OutputSpecification) { isOn = specification.dsd.beginsWithPCM }

    /// True if the caller has to play PCM now, before one-bit sound with the bits of a layout of DoP.
    func beginsNow(before layout: SampleLayout) -> Bool {
        guard isOn, isNeeded, layout.rate <= Self.fastest else { return false }
        fulfil()
        return true
    }

    func fulfil() { isNeeded = false }
    /// The device gets sound: what is not one-bit, or faster than the driver of such receivers takes, makes it due.
    func note(_ block: SampleBlock) { if !block.isDoP || block.layout.rate > Self.fastest { isNeeded = true } }

    private static let fastest = 705_600
}
