/// Counts the attempts to fetch a song that came to nothing. One that continues where the last one broke costs nothing
/// twice, and may be repeated for as long as it takes. Those that begin with the first byte again and get no further
/// are whole downloads: a server that announces more than it has would send its song without an end.
struct FetchAttempts: Hashable, Sendable {
    private static let maxInVain = 3
    static let problem =
        "The song never arrives whole: the server may announce more bytes than it has. Have it scan its files."

    private var reached: Int64
    private var inVain = 0
    private var isFromBeginning = false

    init(reached: Int64) { self.reached = reached }
    mutating func begin() { isFromBeginning = false }
    mutating func connected(at offset: Int64) { isFromBeginning = offset == 0 }

    /// Takes note of the offset that the present one came to; says whether none came further before.
    mutating func ended(at offset: Int64) -> Bool {
        if isFromBeginning { inVain += 1 }
        guard offset > reached else { return false }
        (reached, inVain) = (offset, 0)
        return true
    }

    var areHopeless: Bool { inVain >= Self.maxInVain }
}
