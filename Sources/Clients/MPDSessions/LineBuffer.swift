import Glibc
import NIOCore

/// The bytes that a client has sent and no command has taken yet, as lines.
struct LineBuffer {
    /// The longest line with its line feed, in bytes; MPD takes half of it.
    static let lineLimit = 16_384

    private var bytes = ByteBuffer()
    /// How many bytes at the front are known to hold no line feed, which is the first line's length where one is there.
    private var searched = 0

    var count: Int { bytes.readableBytes }

    /// True if the first line, complete or not, is longer than a line may be.
    var isTooLong: Bool { mutating get { lineLength() == nil && searched >= Self.lineLimit - 1 } }
    mutating func hasLine() -> Bool { lineLength() != nil }

    /// Appends what arrived; an empty buffer takes it over instead of copying it.
    mutating func append(_ more: ByteBuffer) {
        if bytes.readableBytes == 0 {
            bytes = more
            searched = 0
        } else {
            bytes.writeImmutableBuffer(more)
        }
    }

    /// Hands the first complete line to `body`, trimmed, and removes it if that returns true; nil when there is none.
    mutating func takeLine(if body: (Slice<UnsafeRawBufferPointer>) -> Bool) -> Bool? {
        guard let length = lineLength() else { return nil }
        let isTaken = bytes.withUnsafeReadableBytes { body(Self.trimmed($0.prefix(length))) }
        if isTaken { discard(length) }
        return isTaken
    }

    /// Removes the first complete line and returns it, trimmed.
    mutating func nextLine() -> [UInt8]? {
        guard let length = lineLength() else { return nil }
        defer { discard(length) }
        return bytes.withUnsafeReadableBytes { Array(Self.trimmed($0.prefix(length))) }
    }

    private mutating func discard(_ length: Int) {
        bytes.moveReaderIndex(forwardBy: length + 1)
        searched = 0
        // A client that waits holds no memory for what it sent.
        if bytes.readableBytes == 0 { bytes = ByteBuffer() }
    }

    /// The length of the first complete line without its line feed; nil also for one that is too long.
    private mutating func lineLength() -> Int? {
        let start = searched
        let found = bytes.withUnsafeReadableBytes { bytes -> Int? in
            guard let base = bytes.baseAddress, bytes.count > start,
                let end = memchr(base + start, CInt(UInt8(ascii: "\n")), bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(end) - base
        }
        searched = found ?? bytes.readableBytes
        return found.flatMap { $0 < Self.lineLimit ? $0 : nil }
    }

    private static func trimmed(_ line: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var end = line.firstIndex(of: 0) ?? line.endIndex
        while end > line.startIndex, line[end - 1] <= 0x20 { end -= 1 }
        return line[..<end]
    }
}

/// The commands between `command_list_begin` and `command_list_end`, in one array.
struct CommandList {
    /// True if each command is answered by `list_OK`.
    let reportsEach: Bool
    /// The lines, each with a line feed behind it, so that a short line takes no more memory than its length.
    private(set) var bytes: [UInt8] = []
    /// True if its lines were let go, because there is no memory for them.
    private(set) var isRefused = false
    /// True if its end has come, so that its commands run.
    var isRunning = false
    /// The index of the command that `next` returned last.
    private(set) var index = 0
    private let limit: Int
    /// The index in `bytes` of the first line that was not taken yet.
    private var start = 0
    private var countedSize = 0

    /// Begins a list that may hold `limit` bytes, one of them counted for each line's end.
    init(reportsEach: Bool, limit: Int) {
        self.reportsEach = reportsEach
        self.limit = limit
    }

    var size: Int { bytes.count }

    mutating func takeGrowth() -> Int {
        defer { countedSize = size }
        return size - countedSize
    }

    /// Appends a line without line feeds; false when the list is too large, or would grow by more than `room` bytes.
    mutating func append(_ line: some Collection<UInt8>, room: Int) -> Bool {
        if isRefused { return true }
        guard bytes.count + line.count < limit, line.count < room else { return false }
        bytes.append(contentsOf: line)
        bytes.append(UInt8(ascii: "\n"))
        return true
    }

    /// Releases the lines. Those that follow are skipped up to the list's end, which the client expects to be answered.
    mutating func refuse() {
        bytes = []
        isRefused = true
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = bytes.dropFirst(start).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        if start > 0 { index += 1 }
        defer { start = end + 1 }
        return bytes[start..<end]
    }
}
