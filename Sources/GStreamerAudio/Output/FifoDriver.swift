import Glibc
import MusicModel

/// Writes raw samples into a named pipe; without a reader, or with a slow one, they are dropped.
final class FifoDriver: OutputDriver {
    let isLive = false
    let playedTo: Int64? = nil
    private let path: String
    private let format: AudioFormat
    private var descriptor: Int32 = -1
    private var pending: [UInt8] = []
    private var converter: SampleConverter?

    init(_ specification: OutputSpecification) {
        path = specification.path ?? ""
        let chosen = specification.format
        format = AudioFormat(
            sampleRate: chosen.map(\.sampleRate).flatMap { $0 > 0 ? $0 : nil } ?? 44100,
            sample: chosen.map(\.sample).flatMap { $0 == .unknown ? nil : $0 } ?? .integer(bits: 16),
            channels: chosen.map(\.channels).flatMap { $0 > 0 ? $0 : nil } ?? 2)
    }

    func prepare() throws(OutputProblem) {
        guard !path.isEmpty else { throw OutputProblem("it has no path") }
        blockBrokenPipeSignal()
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFIFO else { throw OutputProblem("\(path) is not a named pipe") }
        } else if mkfifo(path, 0o666) != 0 {
            throw OutputProblem("\(path) can't be made: \(String(cString: strerror(errno)))")
        }
    }

    /// A reader that goes away must not end the process; blocked on this thread, the signal stays without effect.
    private func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    func open(_ layout: SampleLayout) throws(OutputProblem) { try prepare() }

    func write(_ block: SampleBlock) throws(OutputProblem) {
        if converter?.layout != block.layout { converter = SampleConverter(from: block.layout, to: format) }
        guard let converter else { throw OutputProblem("the format \(format.wireText) is not supported") }
        let bytes = converter.convert(block.samples)
        guard try connect() else { return }
        send()
        guard pending.isEmpty else { return }
        pending = bytes
        send()
    }

    /// Opens the pipe if someone reads it.
    private func connect() throws(OutputProblem) -> Bool {
        if descriptor >= 0 { return true }
        pending = []
        descriptor = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        if descriptor >= 0 { return true }
        if errno == ENXIO { return false }
        throw OutputProblem("\(path) can't be opened: \(String(cString: strerror(errno)))")
    }

    /// Writes what the pipe takes; a block that was begun is finished before another one, so that samples stay whole.
    private func send() {
        while !pending.isEmpty {
            let wrote = pending.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if wrote > 0 {
                pending.removeFirst(wrote)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                return disconnect()
            }
        }
    }

    private func disconnect() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        (descriptor, pending) = (-1, [])
    }

    func flush() {}

    func setPaused(_ isPaused: Bool) {}

    func poll() throws(OutputProblem) {}

    func close() {
        disconnect()
        converter = nil
    }
}
