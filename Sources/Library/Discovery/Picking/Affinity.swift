import MusicModel

/// How well songs go with the anchors by their tags, from 0 to 1.
///
/// Genres count most, rare ones more than those that half of the library has; then the years, then the artist. The song
/// before the place has a part in it, so that the music doesn't jump.
struct Affinity {
    /// What songs are compared with.
    private struct Profile {
        var genres: [UInt32: Float] = [:]
        var artists: Set<UInt32> = []
        var year: Float?

        init(_ slots: [(slot: Int, weight: Float)], _ catalogue: SongCatalogue) {
            var years: (sum: Float, weight: Float) = (0, 0)
            for (slot, weight) in slots {
                for genre in catalogue.genres(at: slot) {
                    genres[genre, default: 0] += weight * (catalogue.genreWeights[genre] ?? 0)
                }
                artists.formUnion(catalogue.artists(at: slot))
                guard catalogue.years[slot] > 0 else { continue }
                years = (years.sum + weight * Float(catalogue.years[slot]), years.weight + weight)
            }
            let total = genres.values.reduce(0, +)
            if total > 0 { genres = genres.mapValues { $0 / total } }
            if years.weight > 0 { year = years.sum / years.weight }
        }

        func value(_ slot: Int, _ catalogue: SongCatalogue) -> Float {
            let genre = genres.isEmpty ? 0 : catalogue.genres(at: slot).reduce(Float(0)) { $0 + (genres[$1] ?? 0) }
            let isSameArtist = !artists.isEmpty && catalogue.artists(at: slot).contains { artists.contains($0) }
            var nearness: Float = 0
            if let year, catalogue.years[slot] > 0 {
                nearness = max(0, 1 - abs(year - Float(catalogue.years[slot])) / 20)
            }
            return 0.65 * min(genre, 1) + 0.25 * nearness + (isSameArtist ? 0.1 : 0)
        }
    }

    private let anchors: Profile?
    private let last: Profile?
    private let anchorSlots: [Int]

    init(_ catalogue: SongCatalogue, anchors: [SongID: Float], last: SongID?) {
        let slots = anchors.compactMap { anchor in catalogue.slot(of: anchor.key).map { ($0, max(anchor.value, 0.01)) }
        }
        self.anchors = slots.isEmpty ? nil : Profile(slots, catalogue)
        anchorSlots = slots.sorted { ($0.1, $1.0) > ($1.1, $0.0) }.map(\.0)
        self.last = last.flatMap { catalogue.slot(of: $0) }.map { Profile([($0, 1)], catalogue) }
    }

    /// How well a song goes with the anchors and the last one; without either all go alike.
    func value(_ slot: Int, _ catalogue: SongCatalogue) -> Float {
        switch (anchors, last) {
        case (nil, nil): 0
        case (let anchors?, nil): anchors.value(slot, catalogue)
        case (nil, let last?): last.value(slot, catalogue)
        case (let anchors?, let last?): 0.7 * anchors.value(slot, catalogue) + 0.3 * last.value(slot, catalogue)
        }
    }

    /// The anchor that a song shares most with.
    func nearestAnchor(_ slot: Int, _ catalogue: SongCatalogue) -> Int? {
        anchorSlots.max { first, second in
            Self.common(first, slot, catalogue) < Self.common(second, slot, catalogue)
        }
    }

    /// The most telling genre that two songs share.
    func sharedGenre(_ first: Int, _ second: Int, _ catalogue: SongCatalogue) -> UInt32? {
        let genres = catalogue.genres(at: second)
        return catalogue.genres(at: first).filter { genres.contains($0) }
            .max { (catalogue.genreWeights[$0] ?? 0) < (catalogue.genreWeights[$1] ?? 0) }
    }

    private static func common(_ first: Int, _ second: Int, _ catalogue: SongCatalogue) -> Float {
        let genres = catalogue.genres(at: second)
        return catalogue.genres(at: first).reduce(catalogue.sharesArtist(first, second) ? 0.1 : 0) {
            genres.contains($1) ? $0 + (catalogue.genreWeights[$1] ?? 0) : $0
        }
    }
}
