import LibraryIndex
package import MusicModel
package import Subsonic
import Synchronization
package import UserLibrary

/// Asks a Subsonic server which songs go with one: by their sound where it can, and else by what it knows of artists.
///
/// - Isolation: any.
package final class SimilarityQuestions: Sendable {
    private static let count = 50
    /// How long it is remembered whether the server compares sounds, which a plug-in of it may do.
    private static let memory = Duration.seconds(86_400)
    /// A song of the artist that many hear is not yet one that sounds alike.
    private static let topLikeness: Float = 0.3
    /// A match whose likeness the server doesn't say.
    private static let unknownLikeness: Float = 0.5

    private let client: SubsonicClient
    private let library: Library
    private let mount: String
    private let now: @Sendable () -> ContinuousClock.Instant
    private let ability = Mutex<(hearsSound: Bool, asked: ContinuousClock.Instant)?>(nil)

    /// Asks this server about the songs that the library has of it.
    ///
    /// - Parameters:
    ///   - mount: the name under which the server's songs are in the library.
    ///   - now: the clock by which it forgets what the server can do.
    package init(
        _ client: SubsonicClient, _ library: Library, mount: String,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        (self.client, self.library, self.mount, self.now) = (client, library, mount, now)
    }

    /// The songs of the library that go with one, and how well, from 0 to 1; none for a song that isn't the server's.
    ///
    /// - Throws: `SubsonicError` and `LibraryError`.
    package func related(to song: SongID) async throws -> [SongID: Float] {
        guard case .navidrome(let id)? = try await library.index.source(of: song)?.source else { return [:] }
        var found: [String: Float] = [:]
        if try await hearsSound() {
            for match in try await client.sonicSimilarTracks(id: id, count: Self.count) {
                found[match.id] = match.similarity.map { Float($0) } ?? Self.unknownLikeness
            }
        }
        if found.isEmpty { found = try await byArtists(song, id) }
        found[id] = nil
        return try await library.songs(onServer: found, mount: mount)
    }

    /// The first ones count most; the artist's popular songs a little.
    private func byArtists(_ song: SongID, _ id: String) async throws -> [String: Float] {
        var found: [String: Float] = [:]
        let known = try await library.index.songs([song]).first ?? nil
        if let artist = known?.first(.artist) {
            // Navidrome asks others for these, which may fail; what is alike counts more.
            do {
                for top in try await client.topSongs(artist: artist, count: 10) { found[top.id] = Self.topLikeness }
            } catch let error as SubsonicError where error.code == .server(status: 500) {}
        }
        let similar = try await client.similarSongs(id: id, count: Self.count).prefix(Self.count)
        for (place, song) in similar.enumerated() { found[song.id] = Self.likeness(atPlace: place) }
        return found
    }

    /// How well a song goes with another that the server lists at a place, from 0.8 down to 0.4.
    private static func likeness(atPlace place: Int) -> Float { 0.8 - 0.4 * Float(place) / Float(count) }

    private func hearsSound() async throws -> Bool {
        let now = now()
        if let known = ability.withLock({ $0 }), now - known.asked < Self.memory { return known.hearsSound }
        let hearsSound = try await client.extensions()[SubsonicClient.sonicSimilarity] != nil
        ability.withLock { $0 = (hearsSound, now) }
        return hearsSound
    }
}
