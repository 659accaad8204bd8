import NIOCore

/// The commands between `command_list_begin` and `command_list_end`, in one buffer.
struct CommandList {
    /// Whether each command is answered by `list_OK`.
    let reportsEach: Bool
    private let limit: Int
    private var lines = ByteBuffer()
    private var size = 0

    /// Begins a list that may hold `limit` bytes, one more counted for each line.
    init(reportsEach: Bool, limit: Int) {
        self.reportsEach = reportsEach
        self.limit = limit
    }

    /// Appends a line without line feeds; false when the list is too large.
    mutating func append(_ line: [UInt8]) -> Bool {
        size += line.count + 1
        guard size <= limit else { return false }
        lines.writeInteger(UInt32(line.count))
        lines.writeBytes(line)
        return true
    }

    /// Takes the next line from the front.
    mutating func next() -> [UInt8]? {
        guard let length = lines.readInteger(as: UInt32.self) else { return nil }
        return lines.readBytes(length: Int(length))
    }
}
