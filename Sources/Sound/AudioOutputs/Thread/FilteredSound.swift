import AudioFiles
import Coordination
import Logging
import MusicModel
import Outputs

/// The filters of an output, and the impulse response that they use, which takes a moment to read.
struct FilteredSound {
    private let name: String
    private let log: Logger
    private var filters = OutputFilters()
    private var settings = FilterSettings()
    private var response: ImpulseResponse?
    private var (path, rate): (String?, Int) = (nil, 0)
    private var filteredTo = SampleBlock.nowhere
    private var channels = 2

    init(name: String, log: Logger) { (self.name, self.log) = (name, log) }

    mutating func flush() { filteredTo = SampleBlock.nowhere }

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
                    "Output \"\(name)\": an impulse response of \(found.frames * 1000 / rate) ms makes the sound \(Convolution.latency * 1000 / rate) ms later"
                )
            } catch {
                log.error("Output \"\(name)\" plays without its impulse response: \(chain: error)")
            }
        }
        if let points = wanted.equalizer?.points, !points.isEmpty, points != settings.equalizer?.points {
            log.info(
                "Output \"\(name)\": a curve of \(points.count) points makes the sound \(Convolution.latency * 1000 / rate) ms later"
            )
        }
        if wanted.effects != nil, let failure = GStreamerLibrary.failure {
            log.error("Output \"\(name)\" plays without effects: \(failure)")
        }
        settings = wanted
        filters.set(wanted, response: response, rate: rate, channels: layout.channels)
    }
}

/// Reads the impulse responses of room corrections: of one channel, two, or one for each of the output's.
enum ImpulseResponseFile {
    static func read(_ path: String, rate: Int) throws(OutputProblem) -> ImpulseResponse {
        var channels: [[Float]] = []
        var converter: RateConverter?
        var problem: OutputProblem?
        func add(_ samples: [Float]) {
            for index in channels.indices {
                channels[index] += stride(from: index, to: samples.count, by: channels.count).map { samples[$0] }
            }
            guard channels[0].count > ImpulseResponse.longest * rate else { return }
            problem = OutputProblem("\(path) lasts longer than \(ImpulseResponse.longest) seconds")
        }
        do {
            try SongSamples.read(path: path) { piece in
                if channels.isEmpty {
                    channels = Array(repeating: [], count: min(piece.channels, Speaker.maxChannels))
                    converter = RateConverter(to: SampleLayout(rate: rate, channels: channels.count))
                }
                if channels.count != piece.channels {
                    problem = OutputProblem("\(path) has more than eight channels, or changes their number")
                } else {
                    let layout = SampleLayout(rate: piece.rate, channels: piece.channels)
                    add(converter?.convert(piece.samples, layout) ?? [])
                }
                return problem == nil
            }
        } catch {
            let reason = (error as? AudioFileError)?.message ?? "\(error)"
            throw OutputProblem("\(path) can't be read: \(reason)", cause: error)
        }
        if problem == nil, let rest = converter?.finish() { add(rest) }
        if let problem { throw problem }
        guard let response = ImpulseResponse(channels: channels) else { throw OutputProblem("\(path) has no sound") }
        guard response.channels.joined().allSatisfy(\.isFinite) else {
            throw OutputProblem("\(path) has samples that are no numbers")
        }
        return response
    }
}
