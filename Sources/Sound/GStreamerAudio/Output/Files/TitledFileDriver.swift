import Coordination
import Glibc
import Logging
import MusicModel
import Outputs
import Synchronization

/// Records every title into a file of its own, named by its tags.
///
/// The name of a song may become known a moment after its first sound, which waits for that.
final class TitledFileDriver: OutputDriver {
    let playedTo: Nanoseconds? = nil
    private let specification: OutputSpecification
    private let format: RecordingFormat
    private let log: Logger
    private var recording: FileDriver?
    /// Whether no path comes of the title's tags, so that it is not recorded.
    private var isLeftOut = false
    private var play: UInt64?
    private var tags: [TagValue] = []
    /// Sound of a title whose name isn't known yet.
    private var unnamed: [SampleBlock] = []

    init(_ specification: OutputSpecification, format: RecordingFormat, log: Logger) {
        (self.specification, self.format, self.log) = (specification, format, log)
    }

    func prepare() throws(OutputProblem) {}
    func open(_ layout: SampleLayout) throws(OutputProblem) {}

    /// So long a title's name is waited for, in blocks.
    private static let patience = 40

    func write(_ block: SampleBlock) throws(OutputProblem) {
        if block.play != play {
            try writeUnnamed()
            finish()
            (play, tags) = (block.play, [])
        }
        if !hasBegun, block.tags.isEmpty, unnamed.count < Self.patience { return unnamed.append(block) }
        let isNew = !block.tags.isEmpty && Self.title(block.tags) != Self.title(tags)
        if hasBegun, isNew { finish() }
        if !hasBegun { try begin(block.tags) }
        try writeUnnamed()
        try recording?.write(block)
    }

    private var hasBegun: Bool { recording != nil || isLeftOut }

    private static func title(_ tags: [TagValue]) -> [String] {
        tags.filter { [.title, .artist, .name].contains($0.tag) }.map(\.value)
    }

    /// Writes what waited for a name, with the name that there is by now.
    private func writeUnnamed() throws(OutputProblem) {
        guard !unnamed.isEmpty else { return }
        let blocks = unnamed
        unnamed = []
        if !hasBegun { try begin(tags) }
        for block in blocks { try recording?.write(block) }
    }

    private func begin(_ tags: [TagValue]) throws(OutputProblem) {
        self.tags = tags
        var specification = specification
        guard let path = format.path(for: tags, at: Glibc.time(nil)) else {
            log.info("not recorded, as format_path gives no name for it")
            return isLeftOut = true
        }
        try Self.makeFolders(of: path)
        specification.path = path
        let recording = FileDriver(specification, log: log, tags: tags, replaces: false)
        try recording.prepare()
        self.recording = recording
    }

    private static func makeFolders(of path: String) throws(OutputProblem) {
        // Of bytes: behind a slash a title may begin with a mark that would combine with it.
        for end in path.utf8.indices.dropFirst() where path.utf8[end] == UInt8(ascii: "/") {
            let folder = String(path[..<end])
            guard access(folder, F_OK) != 0 else { continue }
            guard mkdir(folder, 0o700) == 0 else {
                if errno == EEXIST { continue }
                throw OutputProblem("the folder \(folder) can't be made: \(OutputProblem.system().message)")
            }
            OutputFileMode.apply(toFolder: folder)
        }
    }

    private func finish() {
        recording?.close()
        (recording, isLeftOut) = (nil, false)
    }

    func flush() {}
    func setPaused(_ isPaused: Bool) {}
    func poll() throws(OutputProblem) {}

    func close() {
        // The next recording says what is wrong.
        do throws(OutputProblem) { try writeUnnamed() } catch {}
        finish()
        (play, tags) = (nil, [])
    }
}
