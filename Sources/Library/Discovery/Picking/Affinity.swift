import MusicModel

/// How well songs go with the anchors, from 0 to 1: by their sound as far as it was measured, and by their tags.
///
/// Genres count most, rare ones more than those that half of the library has; then the years, then the artist. The song
/// before the place has a part in it, so that the music doesn't jump.
struct Affinity {
    /// The features that songs are compared with. A class, as copies of a structure for each song cost more than the
    /// comparison.
    private final class Profile: Sendable {
        let genres: NumberTable
        let artists: NumberTable
        let year: Float?
        let sound: SoundSpace.Point?

        init(_ slots: [(slot: Int, weight: Float)], _ catalogue: SongCatalogue, _ space: SoundSpace) {
            sound = space.centre(of: slots)
            var (genres, artists) = ([UInt32: Float](), Set<UInt32>())
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
            self.genres = NumberTable(total > 0 ? genres.mapValues { $0 / total } : genres)
            self.artists = NumberTable(artists)
            year = years.weight > 0 ? years.sum / years.weight : nil
        }

        /// Songs of which nothing was measured go by their tags.
        func value(_ slot: Int, _ catalogue: SongCatalogue, _ space: SoundSpace) -> Float {
            let tags = tags(slot, catalogue)
            guard let sound, let likeness = space.likeness(slot, to: sound) else { return tags }
            return 0.6 * likeness + 0.4 * tags
        }

        private func tags(_ slot: Int, _ catalogue: SongCatalogue) -> Float {
            let genre = genres.isEmpty ? 0 : genres.sum(catalogue.genres, slot)
            let isSameArtist = artists.contains(anyOf: catalogue.artists, slot)
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
        joined(anchors?.value(slot, catalogue, space), slot, catalogue)
    }

    private func joined(_ near: Float?, _ slot: Int, _ catalogue: SongCatalogue) -> Float {
        guard let last else { return near ?? 0 }
        let own = last.value(slot, catalogue, space)
        return near.map { 0.7 * $0 + 0.3 * own } ?? own
    }

    /// How well each of these songs goes with the anchors alone, for picks that follow each other; nil without anchors.
    func anchored(_ slots: [Int], _ catalogue: SongCatalogue) -> [Float]? {
        anchors.map { anchors in slots.map { anchors.value($0, catalogue, space) } }
    }

    /// The same as `value`, with what `anchored` said of the song.
    func value(_ slot: Int, anchored: Float?, _ catalogue: SongCatalogue) -> Float {
        joined(anchored, slot, catalogue) + (related.isEmpty ? 0 : 0.5 * (related[slot] ?? 0))
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
