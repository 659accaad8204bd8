import MusicModel

/// How well songs go with the anchors, from 0 to 1: by their sound as far as it was measured, and by their tags.
///
/// Genres count most, rare ones more than those that half of the library has; then the years, then the artist. The song
/// before the place has a part in it, so that the music doesn't jump.
struct Affinity {
    /// The features that songs are compared with.
    private struct Profile {
        var genres: [UInt32: Float] = [:]
        var artists: Set<UInt32> = []
        var year: Float?
        var sound: SoundSpace.Point?

        init(_ slots: [(slot: Int, weight: Float)], _ catalogue: SongCatalogue, _ space: SoundSpace) {
            sound = space.centre(of: slots)
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

        /// Songs of which nothing was measured go by their tags.
        func value(_ slot: Int, _ catalogue: SongCatalogue, _ space: SoundSpace) -> Float {
            let tags = tags(slot, catalogue)
            guard let sound, let likeness = space.likeness(slot, to: sound) else { return tags }
            return 0.6 * likeness + 0.4 * tags
        }

        private func tags(_ slot: Int, _ catalogue: SongCatalogue) -> Float {
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
    private let related: [Int: Float]
    private let space: SoundSpace

    init(
        _ catalogue: SongCatalogue, _ space: SoundSpace, anchors: [SongID: Float], last: SongID?,
        related: [SongID: Float] = [:]
    ) {
        self.space = space
        var likeness: [Int: Float] = [:]
        for (song, value) in related { if let slot = catalogue.slot(of: song) { likeness[slot] = value } }
        self.related = likeness
        let slots = anchors.compactMap { anchor in catalogue.slot(of: anchor.key).map { ($0, max(anchor.value, 0.01)) }
        }
        self.anchors = slots.isEmpty ? nil : Profile(slots, catalogue, space)
        anchorSlots = slots.sorted { ($0.1, $1.0) > ($1.1, $0.0) }.map(\.0)
        self.last = last.flatMap { catalogue.slot(of: $0) }.map { Profile([($0, 1)], catalogue, space) }
    }

    /// How well a song goes with the anchors and the last one; without either all go alike. What the server finds alike
    /// goes before what its tags and its sound alone would place there.
    func value(_ slot: Int, _ catalogue: SongCatalogue) -> Float {
        own(slot, catalogue) + (related.isEmpty ? 0 : 0.5 * (related[slot] ?? 0))
    }

    private func own(_ slot: Int, _ catalogue: SongCatalogue) -> Float {
        switch (anchors, last) {
        case (nil, nil): 0
        case (let anchors?, nil): anchors.value(slot, catalogue, space)
        case (nil, let last?): last.value(slot, catalogue, space)
        case (let anchors?, let last?):
            0.7 * anchors.value(slot, catalogue, space) + 0.3 * last.value(slot, catalogue, space)
        }
    }

    /// The anchor that a song shares most with.
    func nearestAnchor(_ slot: Int, _ catalogue: SongCatalogue) -> Int? {
        anchorSlots.max { common($0, slot, catalogue) < common($1, slot, catalogue) }
    }

    /// The most telling genre that two songs share.
    func sharedGenre(_ first: Int, _ second: Int, _ catalogue: SongCatalogue) -> UInt32? {
        let genres = catalogue.genres(at: second)
        return catalogue.genres(at: first).filter { genres.contains($0) }
            .max { (catalogue.genreWeights[$0] ?? 0) < (catalogue.genreWeights[$1] ?? 0) }
    }

    /// Whether the server finds a song like the anchors.
    func isRelated(_ slot: Int) -> Bool { related[slot] != nil }

    /// How alike a song sounds to an anchor; nil where one of them was not measured.
    func likeness(_ slot: Int, to anchor: Int) -> Float? { space.likeness(slot, anchor) }

    private func common(_ first: Int, _ second: Int, _ catalogue: SongCatalogue) -> Float {
        if let likeness = space.likeness(first, second) { return 10 * likeness }
        let genres = catalogue.genres(at: second)
        return catalogue.genres(at: first).reduce(catalogue.sharesArtist(first, second) ? 0.1 : 0) {
            genres.contains($1) ? $0 + (catalogue.genreWeights[$1] ?? 0) : $0
        }
    }
}
