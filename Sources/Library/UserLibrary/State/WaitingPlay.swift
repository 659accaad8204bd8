/// A play that waits to be submitted.
package struct WaitingPlay: Hashable, Sendable {
    /// The play's number in the outbox.
    package var id: Int64
    /// The server's id of the song.
    package var serverSongID: String
    /// Start of the play, Unix milliseconds.
    package var startedAt: Int64

    /// Makes a play as the outbox keeps it.
    package init(id: Int64, serverSongID: String, startedAt: Int64) {
        self.id = id
        self.serverSongID = serverSongID
        self.startedAt = startedAt
    }
}
