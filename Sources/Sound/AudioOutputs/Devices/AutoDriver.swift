import AudioFiles
import Coordination
import Outputs

/// Plays through the first kind of sound device that works; looks again each time that it is opened.
///
/// That is a list of our own: `autoaudiosink` continues silently with a fake sink when nothing works, and also tries
/// sinks that write to standard error.
final class AutoDriver: OutputDriver {
    private let candidates: [any OutputDriver]
    private var driver: (any OutputDriver)?

    init(_ specification: OutputSpecification) {
        candidates = [
            SinkDriver(specification, element: "pulsesink"), PipeWireDriver(specification),
            SinkDriver(specification, element: "alsasink"),
        ]
    }

    func open(_ layout: SampleLayout) throws(OutputProblem) {
        var failure: OutputProblem?
        for candidate in candidates {
            do throws(OutputProblem) {
                try candidate.open(layout)
                driver = candidate
                return
            } catch {
                candidate.close()
                failure = OutputProblem(error.message, cause: failure)
            }
        }
        throw OutputProblem(
            "no sound device works: there is no PulseAudio, PipeWire or ALSA device for this user", cause: failure)
    }

    func close() {
        driver?.close()
        driver = nil
    }

    func channels(for layout: SampleLayout) -> Int { driver?.channels(for: layout) ?? layout.channels }

    var scalesItself: Bool { driver?.scalesItself ?? false }
    var wantsMore: Bool { driver?.wantsMore ?? true }
    var restMilliseconds: Int { driver?.restMilliseconds ?? 25 }
    var playedTo: Nanoseconds? { driver?.playedTo }

    func takeGap() -> Nanoseconds? { driver?.takeGap() }

    var compromise: String? { driver?.compromise }
    func setVolume(_ factor: Float) { driver?.setVolume(factor) }
    func write(_ block: SampleBlock) throws(OutputProblem) { try driver?.write(block) }
    func flush() { driver?.flush() }
    func setPaused(_ isPaused: Bool) { driver?.setPaused(isPaused) }
    func poll() throws(OutputProblem) { try driver?.poll() }
}
