import Logging
import Subsonic
import UserLibrary

/// Phase 5: brings playlists and the server's together; entries are fetched only for playlists that changed.
struct Phase5Playlists {
    let client: SubsonicClient
    let library: Library
    let inFlight: Int
    let logger: Logger

    /// Fetches what changed, merges it, and sends what was edited here.
    ///
    /// - Parameter songsChanged: whether songs came, moved or went.
    /// - Returns: whether clients see other playlists than before.
    func run(songsChanged: Bool) async throws -> Bool {
        let exchange = PlaylistExchange(client: client, library: library, inFlight: inFlight, logger: logger)
        let result = try await exchange.run(songsChanged: songsChanged)
        // What failed for one playlist is tried again with the next sync, and says nothing about the server.
        if let failure = result.failure { logger.info("a playlist has to wait: \(failure)") }
        return result.isVisible
    }
}
