import LibraryIndex
package import MusicModel
package import Subsonic
package import UserLibrary

/// Asks a Subsonic server which songs go with one: by their sound where it can, and else by what it knows of artists.
package final class SimilarityQuestions: Sendable {
    private static let count = 50
    /// A song of the artist that many hear is not yet one that sounds alike.
    private static let topLikeness: Float = 0.3
    /// A match whose likeness the server doesn't say.
    private static let unknownLikeness: Float = 0.5

    private let client: SubsonicClient
    private let library: Library
    private let mount: String

    /// Asks this server about the songs that the library has of it below a mount.
    package init(_ client: SubsonicClient, _ library: Library, mount: String) {
        (self.client, self.library, self.mount) = (client, library, mount)
    }

    /// The songs of the library that go with one, and how well, from 0 to 1; none for a song that isn't the server's.
    package func related(to song: SongID) async throws -> [SongID: Float] {
        guard case .navidrome(let id)? = try await library.index.source(of: song)?.source else { return [:] }
        var found: [String: Float] = [:]
        if try await client.has(SubsonicClient.sonicSimilarity) {
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
}
