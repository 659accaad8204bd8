/// The messages that a client has not read yet.
struct UnreadMessages {
    /// A client keeps so many at most.
    ///
    /// - Source: MPD v0.24.13 src/client/Client.hxx `MAX_MESSAGES`.
    static let maxOfClient = 64
    /// Bytes that those of all clients together may take: a thousand clients with 64 messages as long as a line may be
    /// would have a gigabyte.
    static let maxBytes = 8 << 20
    /// Bytes that a message takes beside its channel's name and its text.
    private static let overhead = 64

    /// The messages, the oldest first.
    private(set) var all: [(channel: String, text: String)] = []
    /// The memory that they take.
    private(set) var size = 0

    /// The memory that a message takes.
    static func size(_ channel: String, _ text: String) -> Int { overhead + channel.utf8.count + text.utf8.count }

    mutating func append(_ channel: String, _ text: String) {
        all.append((channel, text))
        size += Self.size(channel, text)
    }
}
