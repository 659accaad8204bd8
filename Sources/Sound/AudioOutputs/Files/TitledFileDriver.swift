import AudioFiles
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
    private let specification: OutputSpecification
    private let format: RecordingFormat
    private let log: Logger
    private var recording: FileDriver?
    /// True if no path comes of the title's tags, so that it is not recorded.
    private var isLeftOut = false
    private var play: UInt64?
    private var tags: [TagValue] = []
    /// Sound of a title whose name isn't known yet.
    private var unnamed: [SampleBlock] = []
    /// Sound of a title that follows within a play, and hasn't lasted yet.
    private var following: [SampleBlock] = []
    /// When the last files were begun.
    private var beginnings = BoundedRate(most: 1000, in: 3600)

    init(_ specification: OutputSpecification, format: RecordingFormat, log: Logger) {
        (self.specification, self.format, self.log) = (specification, format, log)
    }

    func open(_ layout: SampleLayout) throws(OutputProblem) {}

    /// How long it waits for a title's name, in blocks.
    private static let patience = 40

    func write(_ block: SampleBlock) throws(OutputProblem) {
        if block.play != play {
            try writeUnnamed()
            try writeFollowing()
            finish()
            (play, tags) = (block.play, [])
        }
        if !hasBegun, block.tags.isEmpty, unnamed.count < Self.patience { return unnamed.append(block) }
        let isNew = !block.tags.isEmpty && Self.title(block.tags) != Self.title(tags)
        if hasBegun, isNew { return try follow(block) }
        try writeFollowing()
        if !hasBegun { try begin(block.tags) }
        try writeUnnamed()
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
        if let first = following.first, Self.title(first.tags) != Self.title(block.tags) { try writeFollowing() }
        following.append(block)
        guard following.reduce(.zero, { $0 + $1.duration }) >= Self.minLength else { return }
        let blocks = following
        following = []
        if beginnings.hasRoom {
            finish()
            try begin(block.tags)
        } else {
            tags = block.tags
        }
        for block in blocks { try recording?.write(block) }
    }

    /// Adds what did not last to the title before it.
    private func writeFollowing() throws(OutputProblem) {
        let blocks = following
        following = []
        for block in blocks { try recording?.write(block) }
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
        guard beginnings.takes() else {
            log.warning("not recorded, as more than 1,000 files an hour were begun: are these titles?")
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
    func close() {
        // The next recording says what is wrong.
        do throws(OutputProblem) {
            try writeUnnamed()
            try writeFollowing()
        } catch {}
        finish()
        (play, tags) = (nil, [])
    }
}

/// How many of something begin within some seconds.
private struct BoundedRate {
    private let most: Int
    private let seconds: Int64
    private var begun = 0
    private var start: Int64 = .min

    init(most: Int, in seconds: Int64) { (self.most, self.seconds) = (most, seconds) }

    /// True if one more may begin.
    var hasRoom: Bool { begun < most || isOver }

    /// Counts one that begins; false for one too many.
    mutating func takes() -> Bool {
        if isOver { (begun, start) = (0, Self.now) }
        guard begun < most else { return false }
        begun += 1
        return true
    }

    private var isOver: Bool { start == .min || Self.now - start >= seconds }

    private static var now: Int64 { Int64(Monotonic.now.milliseconds / 1000) }
}
