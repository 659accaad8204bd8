import MusicModel

/// How well songs go with the anchors, from 0 to 1: by their sound where it was measured, and by their tags. Genres
/// count most, rare ones more than those that half of the library has; then the years, then the artist. The song before
/// the place has a part in it, so that the music doesn't jump.
struct Affinity {
    /// The features that songs are compared with. A class, as copies for each song cost more than comparing.
    fileprivate final class Profile: Sendable {
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

        /// How well a song goes with this. Songs of which nothing was measured go by their tags.
        @inline(__always)
        func value(_ slot: Int, _ tags: SongCatalogue.Tags, _ space: SoundSpace.View) -> Float {
            let genre = genres.isEmpty ? 0 : min(genres.sum(tags.genres, slot), 1)
            let isSameArtist = artists.contains(anyOf: tags.artists, slot)
            let songYear = tags.years[slot]
            var nearness: Float = 0
            if let year, songYear > 0 { nearness = max(0, 1 - abs(year - Float(songYear)) / 20) }
            let own = 0.65 * genre + 0.25 * nearness + (isSameArtist ? 0.1 : 0)
            return sound.flatMap { space.likeness(slot, to: $0) }.map { 0.6 * $0 + 0.4 * own } ?? own
        }

        func values(_ slots: [Int], _ catalogue: SongCatalogue, _ space: SoundSpace) -> [Float] {
            catalogue.withTags { tags in
                space.withView { space in slots.map { value($0, tags, space) } }
            }
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
        let slots = anchors.compactMap { song, weight in catalogue.slot(of: song).map { ($0, max(weight, 0.01)) } }
        self.anchors = slots.isEmpty ? nil : Profile(slots, catalogue, space)
        anchorSlots = slots.sorted { ($0.1, $1.0) > ($1.1, $0.0) }.map(\.0)
        self.last = last.flatMap { catalogue.slot(of: $0) }.map { Profile([($0, 1)], catalogue, space) }
    }

    /// How well songs go with the anchors and the last one, in their order; without either all go alike. Songs that the
    /// server finds alike go before others that are as near by tags and sound.
    func values(_ slots: [Int], _ catalogue: SongCatalogue) -> [Float] {
        var values = anchors?.values(slots, catalogue, space)
        if let last {
            let near = last.values(slots, catalogue, space)
            values = values.map { zip($0, near).map { Self.joined($0, $1) } } ?? near
        }
        var result = values ?? [Float](repeating: 0, count: slots.count)
        if let bonuses = bonuses(slots) { for index in result.indices { result[index] += bonuses[index] } }
        return result
    }

    /// How well each of these songs goes with the anchors alone, for picks that follow each other; nil without anchors.
    func anchored(_ slots: [Int], _ catalogue: SongCatalogue) -> [Float]? { anchors?.values(slots, catalogue, space) }
    func bonuses(_ slots: [Int]) -> [Float]? { related.isEmpty ? nil : slots.map { bonus($0) } }
    private func bonus(_ slot: Int) -> Float { related.isEmpty ? 0 : 0.5 * (related[slot] ?? 0) }

    func withView<Result>(_ catalogue: SongCatalogue, _ body: (View) -> Result) -> Result {
        catalogue.withTags { tags in space.withView { body(View(last: last, tags: tags, space: $0)) } }
    }

    struct View {
        fileprivate let last: Profile?
        fileprivate let tags: SongCatalogue.Tags
        fileprivate let space: SoundSpace.View

        /// The same as `value` without the server's choice, with what `anchored` said of the song.
        @inline(__always)
        func value(_ slot: Int, anchored: Float?) -> Float {
            guard let last else { return anchored ?? 0 }
            return Affinity.joined(anchored, last.value(slot, tags, space))
        }
    }

    /// A bound that this value is not above: the song before adds 1 at most, and a little for how floats are rounded.
    func maximum(anchored: Float?) -> Float { last == nil ? anchored ?? 0 : Self.joined(anchored, 1.001) }
    private static func joined(_ near: Float?, _ own: Float) -> Float { near.map { 0.7 * $0 + 0.3 * own } ?? own }

    func nearestAnchor(_ slot: Int, _ catalogue: SongCatalogue) -> Int? {
        anchorSlots.max { common($0, slot, catalogue) < common($1, slot, catalogue) }
    }

    func sharedGenre(_ first: Int, _ second: Int, _ catalogue: SongCatalogue) -> UInt32? {
        let genres = catalogue.genres(at: second)
        return catalogue.genres(at: first).filter { genres.contains($0) }
            .max { (catalogue.genreWeights[$0] ?? 0) < (catalogue.genreWeights[$1] ?? 0) }
    }

    func isRelated(_ slot: Int) -> Bool { related[slot] != nil }
    func likeness(_ slot: Int, to anchor: Int) -> Float? { space.likeness(slot, anchor) }

    private func common(_ first: Int, _ second: Int, _ catalogue: SongCatalogue) -> Float {
        if let likeness = space.likeness(first, second) { return 10 * likeness }
        let genres = catalogue.genres(at: second)
        return catalogue.genres(at: first).reduce(catalogue.sharesArtist(first, second) ? 0.1 : 0) {
            genres.contains($1) ? $0 + (catalogue.genreWeights[$1] ?? 0) : $0
        }
    }
}
