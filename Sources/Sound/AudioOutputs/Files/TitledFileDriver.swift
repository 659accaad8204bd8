import AudioFiles
import Coordination
import Glibc
import Logging
import MusicModel
import Outputs

/// Records every title into a file of its own, named by its tags; the first sound waits a moment for these.
final class TitledFileDriver: OutputDriver {
    private let specification: OutputSpecification
    private let format: RecordingFormat
    private let log: Logger
    private var recording: FileDriver?
    /// True if no path comes of the title's tags, so that it is not recorded.
    private var isLeftOut = false
    private var play: UInt64?
    private var tags: [TagValue] = []
    private var unnamed: [SampleBlock] = []
    /// Sound of a title that follows within a play, and hasn't lasted yet.
    private var following: [SampleBlock] = []
    private var beginnings: [Nanoseconds] = []

    init(_ specification: OutputSpecification, format: RecordingFormat, log: Logger) {
        (self.specification, self.format, self.log) = (specification, format, log)
    }

    func open(_ layout: SampleLayout) throws(OutputProblem) {}

    /// How long it waits for a title's name, in blocks.
    private static let patience = 40

    func write(_ block: SampleBlock) throws(OutputProblem) {
        if block.play != play {
            try write(all: &unnamed)
            try write(all: &following)
            finish()
            (play, tags) = (block.play, [])
        }
        if !hasBegun, block.tags.isEmpty, unnamed.count < Self.patience { return unnamed.append(block) }
        let isNew = !block.tags.isEmpty && Self.title(block.tags) != Self.title(tags)
        if hasBegun, isNew { return try follow(block) }
        try write(all: &following)
        if !hasBegun { try begin(block.tags) }
        try write(all: &unnamed)
        try recording?.write(block)
    }

    private var hasBegun: Bool { recording != nil || isLeftOut }

    private static func title(_ tags: [TagValue]) -> [String] {
        tags.filter { [.title, .artist, .name].contains($0.tag) }.map(\.value)
    }

    /// How long another title of the same play has to last before it begins a file: a station decides on no files.
    private static let minLength: Nanoseconds = .seconds(2)

    /// Keeps the beginning of another title; one that is replaced too soon stays with the one before.
    private func follow(_ block: SampleBlock) throws(OutputProblem) {
        if let first = following.first, Self.title(first.tags) != Self.title(block.tags) { try write(all: &following) }
        following.append(block)
        guard following.reduce(.zero, { $0 + $1.duration }) >= Self.minLength else { return }
        if mayBegin {
            finish()
            try begin(block.tags)
        } else {
            tags = block.tags
        }
        try write(all: &following)
    }

    /// Writes what was kept back, which is kept no longer even if that fails.
    private func write(all kept: inout [SampleBlock]) throws(OutputProblem) {
        let blocks = kept
        kept = []
        if !blocks.isEmpty, !hasBegun { try begin(tags) }
        for block in blocks { try recording?.write(block) }
    }

    /// True unless more files were begun within an hour than titles are likely to.
    private var mayBegin: Bool {
        let hourAgo = Monotonic.now - .seconds(3600)
        beginnings.removeAll { $0 < hourAgo }
        return beginnings.count < 1000
    }

    private func begin(_ tags: [TagValue]) throws(OutputProblem) {
        self.tags = tags
        var specification = specification
        guard let path = format.path(for: tags, at: Glibc.time(nil)) else {
            log.info("not recorded, as format_path gives no name for it")
            return isLeftOut = true
        }
        guard mayBegin else {
            log.warning("not recorded, as more than 1,000 files an hour were begun: are these titles?")
            return isLeftOut = true
        }
        beginnings.append(Monotonic.now)
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

    func close() {
        // The next recording says what is wrong.
        do throws(OutputProblem) {
            try write(all: &unnamed)
            try write(all: &following)
        } catch {}
        finish()
        (play, tags) = (nil, [])
    }
}
