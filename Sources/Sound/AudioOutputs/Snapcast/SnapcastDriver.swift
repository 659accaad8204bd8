import AudioFiles
import Coordination
import Logging
import MusicModel
import Outputs

/// Sends raw samples to a Snapcast server's TCP source.
final class SnapcastDriver: OutputDriver {
    let isPerishable = true
    private let settings: SnapcastSettings
    private let format: AudioFormat
    private var connection: TCPConnection?
    private var converter: SampleConverter?
    /// How much sound the server has not taken since it last took some.
    private var refused: Nanoseconds = .zero
    private var gap: Nanoseconds?

    init(_ specification: OutputSpecification) {
        settings = specification.snapcast
        format = specification.rawFormat
    }

    func open(_ layout: SampleLayout) throws(OutputProblem) {
        try connect()
        converter = try SampleConverter(to: format)
    }

    private func connect() throws(OutputProblem) {
        connection = nil
        connection = try TCPConnection(
            host: settings.host, port: settings.port, milliseconds: 3000, sendBuffer: reserve)
        refused = .zero
    }

    private var reserve: Int { format.sampleRate * format.frameSize * 3 / 10 }

    func write(_ block: SampleBlock) throws(OutputProblem) {
        guard let connection, let converter else { return }
        let bytes = converter.convert(block.samples, block.layout)
        try connection.push()
        // A block that was begun is sent to its end, so that samples stay whole; others are lost meanwhile.
        guard connection.backlog == 0 else { return refused += block.duration }
        guard refused > .zero else { return try connection.send(bytes) }
        // The server reads again, at the pace of sound: what it was sent before would keep its rooms late for good.
        gap = refused
        connection.resetAtEnd()
        try connect()
        try self.connection?.send(bytes)
    }

    func takeGap() -> Nanoseconds? {
        defer { gap = nil }
        return gap
    }

    func poll() throws(OutputProblem) {
        guard let connection else { return }
        try connection.push()
        while try !connection.receive().isEmpty {}
    }

    // Only to notice that the server went away.
    var restMilliseconds: Int { 5000 }
    func close() { (connection, converter, refused) = (nil, nil, .zero) }
}

extension SnapcastSettings: DriverSettings {
    func driver(of output: OutputSpecification, _ context: DriverContext) -> any OutputDriver {
        output.path == nil ? SnapcastDriver(output) : FifoDriver(output, context.clock)
    }

    func control(
        of output: OutputSpecification, _ clock: any EngineClock, log: Logger, changed: @escaping @Sendable () -> Void
    ) -> (any RoomControl)? {
        isControlled ? SnapcastControl(self, name: output.name, log: log, clock: clock, changed: changed) : nil
    }
}
