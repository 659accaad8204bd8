package import MusicModel

/// Playlists that follow the song that plays.
extension MixMaker {
    /// The names of these playlists.
    package static let similarNames = ["[Similar to current]", "[Albums like current]", "[Artists like current]"]
    private static let albumCount = 6
    private static let longestAlbum = 30
    private static let artistCount = 25

    /// The playlists of songs, albums and artists like this song; none for a song that is not in the library.
    ///
    /// - Parameter related: songs that the server finds like it, each with a likeness from 0 to 1.
    package func similar(to song: SongID, related: [SongID: Float] = [:]) -> [Mix] {
        guard let current = catalogue.slot(of: song) else { return [] }
        let others = allowed.filter { $0 != current && !catalogue.isSamePiece($0, current) }
        let affinity = Affinity(catalogue, space, anchors: [song: 1], last: nil, related: related)
        return [
            mix(Self.similarNames[0], of: others, near: [current], related: related, seed: song.rawValue),
            albums(others, current, affinity), artists(others, current, affinity),
        ].compactMap { $0 }
    }

    /// Whole albums, the nearest first; not the one that plays.
    private func albums(_ slots: [Int], _ current: Int, _ affinity: Affinity) -> Mix? {
        let known = slots.filter { !catalogue.albums[$0].isNone && catalogue.albums[$0] != catalogue.albums[current] }
        let groups = Dictionary(grouping: known) { catalogue.albums[$0] }.values.filter { $0.count > 2 }
        let nearest = nearest(groups, affinity, Self.albumCount)
        return whole(Self.similarNames[1], nearest.flatMap { $0.prefix(Self.longestAlbum) })
    }

    /// Two songs each of the nearest artists; not of the one that plays.
    private func artists(_ slots: [Int], _ current: Int, _ affinity: Affinity) -> Mix? {
        let known = slots.filter { !catalogue.artists(at: $0).isEmpty && !catalogue.sharesArtist($0, current) }
        let groups = Dictionary(grouping: known) { catalogue.artists(at: $0).first ?? 0 }.values
        let chosen = nearest(Array(groups), affinity, Self.artistCount).map { slots in
            slots.map { ($0, affinity.value($0, catalogue)) }.sorted { ($0.1, $1.0) > ($1.1, $0.0) }.prefix(2)
                .map(\.0)
        }
        return whole(Self.similarNames[2], (0..<2).flatMap { place in chosen.compactMap { $0.dropFirst(place).first } })
    }

    /// The groups with the largest mean affinity, each in the library's order.
    private func nearest(_ groups: [[Int]], _ affinity: Affinity, _ count: Int) -> [[Int]] {
        let scored = groups.map { slots in
            (slots, slots.reduce(Float(0)) { $0 + affinity.value($1, catalogue) } / Float(slots.count))
        }
        return scored.sorted { ($0.1, $1.0[0]) > ($1.1, $0.0[0]) }.prefix(count).map(\.0)
    }

    private func whole(_ name: String, _ slots: [Int]) -> Mix? {
        slots.count < Self.fewest ? nil : Mix(name: name, songs: slots.map { catalogue.ids[$0] })
    }
}
