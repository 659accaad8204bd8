package import MusicModel

extension MixMaker {
    /// The names of these playlists.
    package static let similarNames = ["[Similar to current]", "[Albums like current]", "[Artists like current]"]
    private static let albumCount = 6
    private static let maxAlbum = 30
    private static let artistCount = 25

    /// The playlists of songs, albums and artists like this song and the related ones; none without it.
    package func similar(to song: SongID, related: [SongID: Float] = [:]) -> [Mix] {
        guard let current = catalogue.slot(of: song) else { return [] }
        let others = others(than: current)
        let affinity = Affinity(catalogue, space, anchors: [song: 1], last: nil, related: related)
        let nearness = affinity.values(others, catalogue)
        return [
            mix(Self.similarNames[0], of: others, nearness, seed: song.rawValue),
            albums(others, nearness, current), artists(others, nearness, current),
        ].compactMap { $0 }
    }

    private func others(than song: Int) -> [Int] {
        var others: [Int] = []
        others.reserveCapacity(allowed.count)
        // They are nearly all, so that what lies between those that are left out is copied at once.
        var start = 0
        for index in allowed.indices where allowed[index] == song || catalogue.isSamePiece(allowed[index], song) {
            others += allowed[start..<index]
            start = index + 1
        }
        others += allowed[start...]
        return others
    }

    private func albums(_ slots: [Int], _ nearness: [Float], _ current: Int) -> Mix? {
        let (albums, own) = (catalogue.albums, catalogue.albums[current])
        let others = slots.map { albums[$0] == own ? 0 : albums[$0] }
        let nearest = NearnessGroups(others, nearness, count: catalogue.albumCount)
            .nearest(Self.albumCount, ofAtLeast: 3)
        return whole(Self.similarNames[1], nearest.flatMap { $0.prefix(Self.maxAlbum).map { slots[$0] } })
    }

    private func artists(_ slots: [Int], _ nearness: [Float], _ current: Int) -> Mix? {
        let own = NumberTable(catalogue.artists(at: current))
        let others = catalogue.artists.withView { artists in
            slots.map { own.contains(anyOf: artists, $0) ? 0 : artists[$0].first ?? 0 }
        }
        let groups = NearnessGroups(others, nearness, count: catalogue.artistCount)
        let chosen = groups.nearest(Self.artistCount).map { positions in
            positions.sorted { (nearness[$0], $1) > (nearness[$1], $0) }.prefix(2).map { slots[$0] }
        }
        return whole(Self.similarNames[2], (0..<2).flatMap { index in chosen.compactMap { $0.dropFirst(index).first } })
    }

    private func whole(_ name: String, _ slots: [Int]) -> Mix? {
        slots.count < Self.minSongs ? nil : Mix(name: name, songs: slots.map { catalogue.ids[$0] })
    }
}
