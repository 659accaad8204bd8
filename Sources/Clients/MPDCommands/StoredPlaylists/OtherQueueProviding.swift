import ServerLoop

/// Knows the queue that another client of the server saved there, which is a stored playlist here; implemented by the
/// program.
package protocol OtherQueueProviding: Sendable {
    /// The playlist's name.
    var playlistName: String { get }
    /// Asks the server for the queue now, as far as it answers soon, and tells the place in it.
    func place() async -> OtherQueuePlace?
}

/// A place in another client's queue.
package struct OtherQueuePlace: Hashable, Sendable {
    /// The song's place in the playlist.
    package var index: Int
    /// How far into the song.
    package var elapsed: Duration

    /// Makes a place.
    package init(index: Int, elapsed: Duration) {
        self.index = index
        self.elapsed = elapsed
    }
}

extension CommandContext {
    /// Where another client was, if the playlist is its queue; the playlist is up to date after that.
    @ServerActor
    func otherQueuePlace(in playlist: String) async -> OtherQueuePlace? {
        guard let queue = server.otherQueue, playlist == queue.playlistName else { return nil }
        return await queue.place()
    }
}
