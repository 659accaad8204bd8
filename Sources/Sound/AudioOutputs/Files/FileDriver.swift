import AudioFiles
import Coordination
import Glibc
import Logging
import MusicModel
import Outputs

/// Records into a file: everything that was heard, in order, in the format of the first song unless one is set.
///
/// The recording from before a failure stays: the recording continues in another file, with a number in its
/// name.
final class FileDriver: OutputDriver {
    private let specification: OutputSpecification
    private let encoding: StreamEncoding
    private var recording: (any Recording)?
    private var format: AudioFormat?
    private var converter: SampleConverter?
    private var part = 1
    private var wantsAnotherPart = false
    private let tags: [TagValue]
    /// True if a file that is there already is replaced; else another name is found.
    private let replaces: Bool
    private let log: Logger

    init(_ specification: OutputSpecification, log: Logger, tags: [TagValue] = [], replaces: Bool = true) {
        (self.log, self.tags, self.replaces) = (log, tags, replaces)
        self.specification = specification
        encoding = specification.encoding ?? .ofFile(specification.path ?? "")
    }

    func prepare() throws(OutputProblem) {
        (part, wantsAnotherPart) = (1, !replaces && access(path, F_OK) == 0)
        try checkFolder()
    }

    private func checkFolder() throws(OutputProblem) {
        guard let path = specification.path, !path.isEmpty else { throw OutputProblem("it has no path") }
        var status = stat()
        let parent = path.hasSlash ? String(path.pathFolder) : "."
        guard stat(parent.isEmpty ? "/" : parent, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw OutputProblem("the folder \(parent) does not exist")
        }
    }

    /// The file is made with the first sound, which says what its samples are like.
    func open(_ layout: SampleLayout) throws(OutputProblem) { try checkFolder() }

    /// A recording keeps the channels with which it began.
    func channels(for layout: SampleLayout) -> Int {
        recording == nil ? layout.channels : format?.channels ?? layout.channels
    }

    private func begin(_ block: SampleBlock) throws(OutputProblem) {
        let format = encoding.format(specification.format, for: block.layout, source: block.source)
        let file = try makeFile()
        do throws(OutputProblem) {
            recording =
                encoding.encoder == .wave
                ? try WAVFile(file, format: format, tags: tags)
                : try EncodedFile(file, encoding, format: format, tags: tags)
        } catch {
            file.remove()
            throw error
        }
        self.format = format
    }

    private func makeFile() throws(OutputProblem) -> GrowingFile {
        while wantsAnotherPart {
            part += 1
            // A file of that name may be another recording's.
            if access(path, F_OK) != 0 { wantsAnotherPart = false }
        }
        return try GrowingFile(path, replaces: replaces && part == 1)
    }

    private var path: String {
        let path = specification.path ?? ""
        guard part > 1 else { return path }
        let name = path.pathName.startIndex
        let dot = path[name...].utf8.dropFirst().lastIndex(of: UInt8(ascii: ".")) ?? path.endIndex
        return "\(path[..<dot])-\(part)\(path[dot...])"
    }

    func write(_ block: SampleBlock) throws(OutputProblem) {
        if recording == nil { try begin(block) }
        guard let format else { return }
        do throws(OutputProblem) {
            if converter == nil { converter = try SampleConverter(to: format) }
            if let converter { try recording?.append(converter.convert(block)) }
        } catch {
            converter = nil
            if recording?.hasSound == true { wantsAnotherPart = true } else { recording?.remove() }
            throw error
        }
    }

    func close() {
        var problem: OutputProblem?
        if let rest = converter?.finish() {
            do throws(OutputProblem) { try recording?.append(rest) } catch { problem = error }
        }
        do throws(OutputProblem) { try recording?.finish() } catch { problem = problem ?? error }
        // A file that is followed by another part has failed before, and that was told.
        if let problem, !wantsAnotherPart, recording?.hasSound == true {
            log.warning("The end of the recording \(path) is missing: \(chain: problem)")
        }
        (recording, converter) = (nil, nil)
    }
}
