import Foundation
import GStreamerAudio
import MusicModel

/// Reads tags, length, picture and lyrics of a file with the real decoders.
///
/// - Shape: the whole input is the file.
enum AudioFileFuzz {
    private static let path = NSTemporaryDirectory() + "segue-fuzz-\(ProcessInfo.processInfo.processIdentifier)"

    static func run(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file: ScannedFile
        do { file = try AudioFileReader.read(path: path) } catch {
            guard let error = error as? AudioFileError, !error.message.isEmpty, !error.message.contains("://") else {
                throw FuzzFinding("the error \"\(error)\"")
            }
            return
        }
        _ = try? AudioFileReader.lyrics(path: path)
        _ = try? AudioFileReader.embeddedPicture(path: path)
        for tag in file.tags where tag.value.isEmpty || tag.value.utf8.contains(where: { $0 < 0x20 }) {
            throw FuzzFinding("the value \(tag)")
        }
        if let format = file.format, !(1000...1_536_000).contains(format.sampleRate) { throw FuzzFinding("\(format)") }
        if let duration = file.duration, duration < .zero || duration > .seconds(Int64(1) << 31) {
            throw FuzzFinding("a length of \(duration)")
        }
    }
}
