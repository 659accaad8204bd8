/// A play that waits to be submitted.
package struct WaitingPlay: Hashable, Sendable {
    /// The play's number in the outbox.
    package var id: Int64
    /// The server's id of the song.
    package var serverSongID: String
    /// Start of the play, Unix milliseconds.
    package var startedAt: Int64
}
