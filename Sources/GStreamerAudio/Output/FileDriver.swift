import Glibc
import MusicModel

/// Writes a WAV file: everything that was heard, in order, at the rate of the first song unless a format is set.
final class FileDriver: OutputDriver {
    let isLive = false
    let playedTo: Int64? = nil
    private let specification: OutputSpecification
    private var file: WAVFile?
    private var format: AudioFormat?
    private var converter: SampleConverter?

    init(_ specification: OutputSpecification) { self.specification = specification }

    func prepare() throws(OutputProblem) {
        guard let path = specification.path, !path.isEmpty else { throw OutputProblem("it has no path") }
        var status = stat()
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        guard stat(parent.isEmpty ? "/" : parent, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw OutputProblem("the folder \(parent) does not exist")
        }
    }

    func open(_ layout: SampleLayout) throws(OutputProblem) {
        try prepare()
        let chosen = specification.format
        let format = AudioFormat(
            sampleRate: chosen.map(\.sampleRate).flatMap { $0 > 0 ? $0 : nil } ?? layout.rate,
            sample: chosen.map(\.sample).flatMap { $0 == .unknown ? nil : $0 } ?? .integer(bits: 16),
            channels: chosen.map(\.channels).flatMap { $0 > 0 ? $0 : nil } ?? layout.channels)
        file = try WAVFile(specification.path ?? "", format: format)
        self.format = format
    }

    func write(_ block: SampleBlock) throws(OutputProblem) {
        guard let file, let format else { return }
        if converter?.layout != block.layout {
            if let rest = converter?.finish() { try file.append(rest) }
            converter = SampleConverter(from: block.layout, to: format)
        }
        guard let converter else { throw OutputProblem("the format \(format.wireText) is not supported") }
        try file.append(converter.convert(block.samples))
    }

    func flush() {}

    func setPaused(_ isPaused: Bool) {}

    func poll() throws(OutputProblem) {}

    func close() {
        if let rest = converter?.finish() { try? file?.append(rest) }
        file?.finish()
        (file, converter) = (nil, nil)
    }
}

/// A WAV file that is being written; its header is mended now and then, so that even a broken-off file plays.
final class WAVFile {
    private let descriptor: Int32
    private let format: AudioFormat
    private var size: UInt64 = 0
    private var sizeInHeader: UInt64 = 0

    /// Makes or replaces the file.
    init(_ path: String, format: AudioFormat) throws(OutputProblem) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        self.format = format
        guard descriptor >= 0 else {
            throw OutputProblem("\(path) can't be written: \(String(cString: strerror(errno)))")
        }
        try write(header)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Adds samples.
    func append(_ bytes: [UInt8]) throws(OutputProblem) {
        guard !bytes.isEmpty else { return }
        try write(bytes)
        size += UInt64(bytes.count)
        if size - sizeInHeader > 2_000_000 { mendHeader() }
    }

    /// Completes the header.
    func finish() { mendHeader() }

    private func mendHeader() {
        sizeInHeader = size
        let header = header
        _ = header.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    private func write(_ bytes: [UInt8]) throws(OutputProblem) {
        var done = 0
        while done < bytes.count {
            let wrote = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            if wrote < 0, errno == EINTR { continue }
            guard wrote > 0 else { throw OutputProblem("writing failed: \(String(cString: strerror(errno)))") }
            done += wrote
        }
    }

    private var header: [UInt8] {
        func little(_ value: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let bits: Int
        var code: UInt64 = 1
        switch format.sample {
        case .integer(let wanted): bits = wanted
        default: (bits, code) = (32, 3)
        }
        let (rate, channels) = (UInt64(format.sampleRate), UInt64(format.channels))
        let frame = UInt64(bits / 8) * channels
        let data = min(size, UInt64(UInt32.max) - 36)
        return Array("RIFF".utf8) + little(data + 36, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(code, 2)
            + little(channels, 2) + little(rate, 4) + little(rate * frame, 4) + little(frame, 2)
            + little(UInt64(bits), 2)
            + Array("data".utf8) + little(data, 4)
    }
}
