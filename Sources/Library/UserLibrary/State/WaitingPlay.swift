/// A play that waits to be submitted.
public struct WaitingPlay: Hashable, Sendable {
    /// The play's number in the outbox.
    public var id: Int64
    /// The server's id of the song.
    public var serverSongID: String
    /// Start of the play, Unix milliseconds.
    public var startedAt: Int64

    /// Makes a play as the outbox keeps it.
    public init(id: Int64, serverSongID: String, startedAt: Int64) {
        self.id = id
        self.serverSongID = serverSongID
        self.startedAt = startedAt
    }
}
