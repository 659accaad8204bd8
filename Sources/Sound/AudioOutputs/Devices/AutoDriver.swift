import AudioFiles
import Outputs

/// Plays through the first kind of sound device that works each time that it is opened: `autoaudiosink` continues
/// silently with a fake sink when nothing works, and also tries sinks that write to standard error.
final class AutoDriver: DelegatingDriver {
    private let candidates: [any OutputDriver]
    private(set) var active: (any OutputDriver)?

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
                active = candidate
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
        active?.close()
        active = nil
    }
}
