package import Logging
package import Subsonic
package import UserLibrary

/// Sends edits of playlists to the server.
package struct PlaylistWriter: UpstreamWriting {
    private let client: SubsonicClient
    private let library: Library
    private let changed: @Sendable () -> Void
    private let logger: Logger

    /// Makes the writer.
    ///
    /// - Parameter changed: called when clients see other playlists than before, because the server had changes as
    ///   well.
    package init(
        client: SubsonicClient, library: Library, changed: @escaping @Sendable () -> Void, logger: Logger
    ) {
        self.client = client
        self.library = library
        self.changed = changed
        self.logger = logger
    }

    /// Its name in the log.
    package var name: String { "edits of playlists" }

    /// Sends what waits, and brings what changed on the server meanwhile.
    package func push() async throws -> Bool {
        guard try await library.hasPlaylistWork() else { return false }
        let exchange = PlaylistExchange(client: client, library: library, inFlight: 4, logger: logger)
        let result = try await exchange.run(songsChanged: false)
        if result.isVisible { changed() }
        if let failure = result.failure { throw failure }
        return result.hasSent
    }
}
