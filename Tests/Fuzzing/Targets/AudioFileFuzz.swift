import Glibc
import MusicModel

@testable import AudioFiles

/// Reads tags, length, picture and words of a file with the real decoders.
///
/// - Shape: the whole input is the file.
enum AudioFileFuzz {
    /// Damaged files that are never given up would take nearly all of the time; the discoverer takes no less.
    private static let patience: Duration = .seconds(1)
    private static let file = NamelessFile()
    /// A link to the file, whose ending tells which readers look at it besides the decoders.
    private static let link = "\(NamelessFile.folder)/segue-fuzz-\(getpid())"

    static func run(_ bytes: [UInt8]) throws {
        try file.write(bytes)
        let path = link + suffix(bytes)
        guard symlink(file.path, path) == 0 else { throw FuzzFinding("\(path) can't be made") }
        defer { unlink(path) }
        let found: ScannedFile
        do { found = try AudioFileReader.readEverything(path: path, patience: patience) } catch {
            guard let error = error as? AudioFileError, !error.message.isEmpty, !error.message.contains("://") else {
                throw FuzzFinding("the error \"\(error)\"")
            }
            return
        }
        for tag in found.tags where tag.value.isEmpty || tag.value.utf8.contains(where: { $0 < 0x20 }) {
            throw FuzzFinding("the value \(tag)")
        }
        if let format = found.format, !(1000...1_536_000).contains(format.sampleRate) {
            throw FuzzFinding("\(format)")
        }
        if let duration = found.duration, duration < .zero || duration > .seconds(Int64(1) << 31) {
            throw FuzzFinding("a length of \(duration)")
        }
    }

    private static func suffix(_ bytes: [UInt8]) -> String {
        let kinds = [
            ("ID3", ".mp3"), ("fLaC", ".flac"), ("MPCK", ".mpc"), ("wvpk", ".wv"), ("MAC ", ".ape"), ("TTA1", ".tta"),
            ("RIFF", ".wav"), ("RF64", ".wav"), ("FORM", ".aiff"), ("DSD ", ".dsf"), ("FRM8", ".dff"),
        ]
        return kinds.first { bytes.starts(with: Array($0.0.utf8)) }?.1 ?? ""
    }
}
