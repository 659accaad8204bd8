import Glibc

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

    /// By how many bytes it has grown since the last call.
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
        let start = start
        let length = bytes.withUnsafeBytes { bytes -> Int? in
            guard start < bytes.count, let base = bytes.baseAddress else { return nil }
            return memchr(base + start, 0x0A, bytes.count - start).map { UnsafeRawPointer($0) - (base + start) }
        }
        guard let length else { return nil }
        if start > 0 { index += 1 }
        self.start = start + length + 1
        return bytes[start..<start + length]
    }
}
