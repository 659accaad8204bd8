import AudioFiles
import Glibc
import MusicModel

final class GrowingFile {
    private let descriptor: Int32
    private let path: String
    private(set) var size = 0

    /// - Throws: a problem, also where the path is a symbolic link: anyone who may write into its folder could have put
    ///   it there, and another file would be replaced.
    init(_ path: String, replaces: Bool) throws(OutputProblem) {
        self.path = path
        // A pipe in its place would hold the thread until the pipe has a reader.
        let flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let made = open(path, flags | O_CREAT | O_EXCL, 0o600)
        descriptor = made < 0 && errno == EEXIST && replaces ? open(path, flags | O_TRUNC) : made
        guard descriptor >= 0 else {
            guard errno != ELOOP else {
                throw OutputProblem(
                    "\(path) is a symbolic link, which a recording doesn't follow: remove it, or set path to where it leads"
                )
            }
            throw OutputProblem("\(path) can't be written: \(OutputProblem.system().message)")
        }
        // A file that was there keeps its mode.
        if made >= 0 { OutputFileMode.apply(to: descriptor) }
        guard isFile else { throw OutputProblem("\(path) is a pipe or a socket; a recording needs a file") }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func append(_ bytes: [UInt8]) throws(OutputProblem) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, size + done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let problem = OutputProblem("writing failed: \(OutputProblem.system().message)")
                if isRegular { ftruncate(descriptor, size) }
                throw problem
            }
            done += count
        }
        size += done
    }

    func overwrite(_ bytes: [UInt8], at place: Int) throws(OutputProblem) {
        let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, place) }
        guard count == bytes.count else { throw OutputProblem("writing failed: \(OutputProblem.system().message)") }
    }

    func remove() { if isRegular { unlink(path) } }
    private var isRegular: Bool { kind == S_IFREG }
    /// Takes what is written and never keeps its thread waiting; devices without an end do, too.
    private var isFile: Bool { kind == S_IFREG || kind == S_IFCHR }

    private var kind: mode_t? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}

/// A recording that is being written.
protocol Recording: AnyObject {
    /// True once it holds any sound.
    var hasSound: Bool { get }
    /// Adds samples of the recording's format.
    func append(_ samples: [UInt8]) throws(OutputProblem)
    /// Completes the file.
    func finish() throws(OutputProblem)
    /// Removes the file.
    func remove()
}

/// A WAV file that is being written; its header is mended now and then, so that even a broken-off file plays.
final class WAVFile: Recording {
    private let file: GrowingFile
    private let format: AudioFormat
    private let info: [UInt8]
    private var size: Int { file.size - WAVHeader.size(format) - info.count }
    private var sizeInHeader = 0

    var hasSound: Bool { size > 0 }

    init(_ file: GrowingFile, format: AudioFormat, tags: [TagValue] = []) throws(OutputProblem) {
        self.file = file
        self.format = format
        info = WAVInfo.chunk(tags)
        try file.append(WAVHeader.bytes(format, size: 0, info: info))
    }

    func append(_ samples: [UInt8]) throws(OutputProblem) {
        try file.append(samples)
        guard size - sizeInHeader > 2_000_000 else { return }
        // The sound is there; at the end the header is written again, and a failure told.
        do throws(OutputProblem) { try finish() } catch {}
    }

    func finish() throws(OutputProblem) {
        sizeInHeader = size
        try file.overwrite(WAVHeader.bytes(format, size: UInt64(size), info: info), at: 0)
    }

    func remove() { file.remove() }
}

enum WAVHeader {
    static func size(_ format: AudioFormat) -> Int { format.channels > 2 ? 68 : 44 }

    /// The header for a number of bytes, limited to what fits; it names the speakers of more than two channels.
    static func bytes(_ format: AudioFormat, size: UInt64, info: [UInt8] = []) -> [UInt8] {
        func little(_ value: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let (rate, channels, frame) = (UInt64(format.sampleRate), UInt64(format.channels), UInt64(format.frameSize))
        let bits = frame / channels * 8
        let code: UInt64 = if case .integer = format.sample { 1 } else { 3 }
        let isExtensible = format.channels > 2
        let rest = UInt64(Self.size(format) - 8 + info.count)
        let data = min(size, UInt64(UInt32.max) - rest)
        return Array("RIFF".utf8) + little(data + rest, 4) + Array("WAVEfmt ".utf8) + little(isExtensible ? 40 : 16, 4)
            + little(isExtensible ? 0xfffe : code, 2)
            + little(channels, 2) + little(rate, 4) + little(rate * frame, 4) + little(frame, 2)
            + little(bits, 2)
            + (isExtensible
                ? little(22, 2) + little(bits, 2) + little(Speaker.waveMask(channels: format.channels), 4)
                    + little(code, 2) + uuid : [])
            + info + Array("data".utf8) + little(data, 4)
    }

    /// The rest of the identifier that begins with a format's code.
    private static let uuid: [UInt8] = [
        0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xaa, 0x00, 0x38, 0x9b, 0x71,
    ]
}
