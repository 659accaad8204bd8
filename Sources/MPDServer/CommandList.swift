/// The commands between `command_list_begin` and `command_list_end`, in one array.
struct CommandList {
    /// Whether each command is answered by `list_OK`.
    let reportsEach: Bool
    /// The lines, one after the other.
    private(set) var bytes: [UInt8] = []
    private let limit: Int
    private var ends: [Int] = []
    private var done = 0

    /// Begins a list that may hold `limit` bytes, one more counted for each line.
    init(reportsEach: Bool, limit: Int) {
        self.reportsEach = reportsEach
        self.limit = limit
    }

    /// Appends a line without line feeds; false when the list is too large.
    mutating func append(_ line: some Collection<UInt8>) -> Bool {
        guard bytes.count + ends.count + line.count + 1 <= limit else { return false }
        bytes.append(contentsOf: line)
        ends.append(bytes.count)
        return true
    }

    /// Takes the next line: its place in `bytes`.
    mutating func next() -> Range<Int>? {
        guard done < ends.count else { return nil }
        defer { done += 1 }
        return (done == 0 ? 0 : ends[done - 1])..<ends[done]
    }
}
