/// Sends one kind of local changes to the server, such as edits of playlists or stars.
///
/// An edit that waits is in the index, written in the transaction of the change itself, and goes when the server has
/// it. So `push` may be called at any time and as often as one likes; it sends what waits and nothing else.
package protocol UpstreamWriting: Sendable {
    /// The kind of change, for the log: `playlists`, `stars and ratings`.
    var name: String { get }

    /// Sends everything that waits, oldest first. A change that the server refuses for good must not block the rest.
    ///
    /// - Returns: whether anything was sent.
    /// - Throws: `SubsonicError` when the server can't be used now: what waits is kept, and `push` is called again
    ///   later.
    func push() async throws -> Bool
}
