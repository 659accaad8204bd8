import AudioFiles
import Coordination
import Glibc
import MusicModel
import Outputs

/// Writes raw samples into a named pipe; without a reader, or with a slow one, they are discarded.
/// It stays open without one: some take a pipe without a writer for the end of the stream, and look again only rarely.
final class FifoDriver: OutputDriver {
    private let path: String
    private let format: AudioFormat
    private var descriptor: Int32 = -1
    private var pending: [UInt8] = []
    private var converter: SampleConverter?
    private var lastTaken: Nanoseconds = .zero
    private let clock: any EngineClock

    init(_ specification: OutputSpecification, _ clock: any EngineClock) {
        self.clock = clock
        path = specification.path ?? ""
        format = specification.rawFormat
    }

    func prepare() throws(OutputProblem) {
        guard !path.isEmpty else { throw OutputProblem("it has no path") }
        guard descriptor < 0 else { return }
        OutputProblem.ignoreBrokenPipes()
        var status = stat()
        let isNew = mkfifo(path, 0o600) == 0
        guard isNew || errno == EEXIST else {
            throw OutputProblem("\(path) can't be made: \(OutputProblem.system().message)")
        }
        // Open for reading as well, it has a reader in any case. One that was just made is no link yet.
        descriptor = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | (isNew ? O_NOFOLLOW : 0))
        guard descriptor >= 0 else { throw OutputProblem("\(path) can't be opened: \(OutputProblem.system().message)") }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
            Glibc.close(descriptor)
            descriptor = -1
            throw OutputProblem("\(path) is not a named pipe")
        }
        if isNew { OutputFileMode.apply(to: descriptor) }
        lastTaken = clock.now
    }

    func open(_ layout: SampleLayout) throws(OutputProblem) {
        try prepare()
        converter = try SampleConverter(to: format)
    }

    func write(_ block: SampleBlock) throws(OutputProblem) {
        guard let converter else { return }
        let bytes = converter.convert(block)
        try send()
        if !pending.isEmpty, clock.now - lastTaken > Self.patience {
            forgetWhatNobodyReads()
            try send()
        }
        guard pending.isEmpty else { return }
        pending = bytes
        try send()
    }

    /// Sound that was not read for longer is too old for a new reader.
    private static let patience: Nanoseconds = .milliseconds(500)

    /// Writes what the pipe takes; a block that was begun is finished before another one, so that samples stay whole.
    private func send() throws(OutputProblem) {
        while !pending.isEmpty {
            let wrote = pending.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if wrote > 0 {
                pending.removeFirst(wrote)
                lastTaken = clock.now
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                let problem = OutputProblem("writing failed: \(OutputProblem.system().message)")
                release()
                throw problem
            }
        }
    }

    private func forgetWhatNobodyReads() {
        var waiting: Int32 = 0
        guard ioctl(descriptor, UInt(FIONREAD), &waiting) == 0, waiting > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: Int(waiting) / format.frameSize * format.frameSize)
        _ = read(descriptor, &buffer, buffer.count)
    }

    func close() { (pending, converter) = ([], nil) }

    func release() {
        close()
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}
