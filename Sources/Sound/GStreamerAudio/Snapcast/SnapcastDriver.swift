import Coordination
import MusicModel
import Outputs

/// Sends raw samples to a Snapcast server's TCP source.
final class SnapcastDriver: OutputDriver {
    let playedTo: Nanoseconds? = nil
    let isPerishable = true
    private let settings: SnapcastSettings
    private let format: AudioFormat
    private var connection: TCPConnection?
    private var converter: SampleConverter?

    init(_ specification: OutputSpecification) {
        settings = specification.snapcast
        format = specification.rawFormat
    }

    func prepare() throws(OutputProblem) {}

    func open(_ layout: SampleLayout) throws(OutputProblem) {
        connection = try TCPConnection(host: settings.host, port: settings.port, milliseconds: 3000)
        converter = nil
    }

    func write(_ block: SampleBlock) throws(OutputProblem) {
        guard let connection else { return }
        if converter == nil { converter = SampleConverter(to: format) }
        guard let converter else { throw OutputProblem("the format \(format.wireText) is not supported") }
        let bytes = converter.convert(block.samples, block.layout)
        try connection.push()
        // A server that doesn't read loses whole blocks; what was begun is sent to its end, so that samples stay whole.
        guard connection.backlog < limit else { return }
        try connection.send(bytes)
    }

    /// Half a second of sound.
    private var limit: Int {
        let bits = if case .integer(let bits) = format.sample { bits } else { 32 }
        return format.sampleRate * format.channels * bits / 16
    }

    func flush() {}

    func setPaused(_ isPaused: Bool) {}

    func poll() throws(OutputProblem) {
        guard let connection else { return }
        try connection.push()
        while try !connection.receive().isEmpty {}
    }

    // Only to notice that the server went away.
    var restMilliseconds: Int { 5000 }

    func close() { (connection, converter) = (nil, nil) }
}
