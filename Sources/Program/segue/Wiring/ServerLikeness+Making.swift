import Discovery
import LibraryIndex
import Logging
import MusicModel
import SegueConfiguration
import Subsonic
import Synchronization
import UserLibrary

extension ServerLikeness {
    /// Asks the library's server; nil without one, or where it is not to be asked.
    init?(_ configuration: Configuration, _ sources: Sources) {
        guard configuration.discovery.usesServerSimilarity, let client = sources.client else { return nil }
        let server = SimilarityQuestions(client, sources.library, mount: configuration.navidrome?.mount ?? "")
        self.init({ try await server.related(to: $0) }, log: Logger(label: "segue.discovery"))
    }
}

/// Asks a Subsonic server which songs go with one: by their sound where it can, and else by what it knows of artists.
private final class SimilarityQuestions: Sendable {
    private static let count = 50
    /// How long it is remembered whether the server compares sounds, which a plug-in of it may do.
    private static let memory = Duration.seconds(86_400)
    /// A song of the artist that many hear is not yet one that sounds alike.
    private static let topLikeness: Float = 0.3

    private let client: SubsonicClient
    private let library: Library
    private let mount: String
    private let ability = Mutex<(hearsSound: Bool, asked: ContinuousClock.Instant)?>(nil)

    init(_ client: SubsonicClient, _ library: Library, mount: String) {
        (self.client, self.library, self.mount) = (client, library, mount)
    }

    func related(to song: SongID) async throws -> [SongID: Float] {
        guard case .navidrome(let id)? = try await library.index.source(of: song)?.source else { return [:] }
        var found: [String: Float] = [:]
        if try await hearsSound() {
            for match in try await client.sonicSimilarTracks(id: id, count: Self.count) {
                found[match.id] = Float(match.similarity ?? 0.5)
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
            for top in try await client.topSongs(artist: artist, count: 10) { found[top.id] = Self.topLikeness }
        }
        for (place, similar) in try await client.similarSongs(id: id, count: Self.count).prefix(Self.count).enumerated()
        {
            found[similar.id] = 0.8 - 0.4 * Float(place) / Float(Self.count)
        }
        return found
    }

    private func hearsSound() async throws -> Bool {
        if let known = ability.withLock({ $0 }), ContinuousClock.now - known.asked < Self.memory {
            return known.hearsSound
        }
        let hearsSound = try await client.extensions()[SubsonicClient.sonicSimilarity] != nil
        ability.withLock { $0 = (hearsSound, ContinuousClock.now) }
        return hearsSound
    }
}
