import AudioFiles
import Coordination
import Logging
import MusicModel
import Outputs

/// The filters of an output, and the impulse response that they use.
///
/// - Isolation: the output's thread; reading an impulse response takes a moment.
struct FilteredSound {
    private let name: String
    private let log: Logger
    private var filters = OutputFilters()
    private var settings = FilterSettings()
    private var response: ImpulseResponse?
    /// The file that it was read from, or was tried to.
    private var (path, rate): (String?, Int) = (nil, 0)
    /// Where the sound was filtered up to.
    private var filteredTo = SampleBlock.nowhere
    /// The channels of the sound that came last.
    private var channels = 2

    init(name: String, log: Logger) { (self.name, self.log) = (name, log) }

    /// The sound continues elsewhere.
    mutating func flush() { filteredTo = SampleBlock.nowhere }

    /// Changes a block as it is set.
    mutating func apply(_ wanted: FilterSettings, to block: inout SampleBlock) {
        let goesOn = block.start == filteredTo
        filteredTo = block.end
        if wanted != settings || wanted.convolves && rate != block.layout.rate { set(wanted, block.layout) }
        if channels != block.layout.channels { note(block.layout.channels) }
        guard !filters.isPlain else { return }
        if !goesOn { filters.reset() }
        filters.process(&block.samples, rate: block.layout.rate, channels: block.layout.channels)
        for report in filters.takeReports() {
            log.log(level: report.isProblem ? .warning : .info, "Output \"\(name)\": \(report.text)")
        }
    }

    /// Sound of another number of channels comes.
    private mutating func note(_ channels: Int) {
        self.channels = channels
        guard channels > 2, settings.hasCrossfeed else { return }
        log.info("Output \"\(name)\": crossfeed is for two channels, and rests while it gets \(channels)")
    }

    private mutating func set(_ wanted: FilterSettings, _ layout: SampleLayout) {
        let rate = layout.rate
        if wanted.convolves, wanted.impulseResponse != path || rate != self.rate {
            (path, self.rate, response) = (wanted.impulseResponse, rate, nil)
            do throws(OutputProblem) {
                let found = try ImpulseResponseFile.read(path ?? "", rate: rate)
                response = found
                log.info(
                    "Output \"\(name)\": an impulse response of \(found.frames * 1000 / rate) ms makes the sound \(OutputFilters.convolutionLatency * 1000 / rate) ms later"
                )
            } catch {
                log.error("Output \"\(name)\" plays without its impulse response: \(chain: error)")
            }
        }
        if let points = wanted.equalizer?.points, !points.isEmpty, points != settings.equalizer?.points {
            log.info(
                "Output \"\(name)\": a curve of \(points.count) points makes the sound \(OutputFilters.convolutionLatency * 1000 / rate) ms later"
            )
        }
        if wanted.effects != nil, let failure = GStreamerLibrary.failure {
            log.error("Output \"\(name)\" plays without effects: \(failure)")
        }
        settings = wanted
        filters.set(wanted, response: response, rate: rate, channels: layout.channels)
    }
}
