import AudioFiles
import MusicModel

/// Reads the impulse responses of room corrections: sound files of any kind, of one channel, two, or one for each of
/// the output's.
enum ImpulseResponseFile {
    /// Reads a file at an output's rate.
    ///
    /// - Throws: `OutputProblem` for a file that can't be read, has no sound, or lasts too long.
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
