import Foundation
import Coordination
import MusicModel

extension Catalog {
    /// The places of the albums that a query wants, in its order.
    package func places(_ query: CatalogQuery, genreSongs: SongSet?) -> [UInt32] {
        let ordered = order(query)
        guard query.isFiltered else { return query.isDescending ? ordered.reversed() : ordered }
        let words = query.words.map { TextFolding.folded($0) }
        let wanted = query.songs.map { songs in Set(songs.compactMap { albumIndex(of: $0) }) }
        let artist = query.artist.flatMap { self.artist(id: $0) }.map { Set($0.albums) }
        let found = ordered.filter { index in
            let album = albums[Int(index)]
            if query.artist != nil, artist?.contains(Int(index)) != true { return false }
            if let years = query.years, !years.contains(album.year) { return false }
            if let wanted = query.albums, !wanted.contains(album.id) { return false }
            if let wanted, !wanted.contains(Int(index)) { return false }
            if !query.without.isEmpty, songs(of: album).contains(where: query.without.contains) { return false }
            if let genreSongs, !songs[album.songs].contains(where: { genreSongs.contains(Int64($0)) }) { return false }
            return Self.matches(words, [album.title, album.artist])
        }
        let sorted =
            query.sort == .relevance
            ? Relevance(query.words).sorted(found) { albums[Int($0)].title } : found
        return query.isDescending ? sorted.reversed() : sorted
    }

    /// The places of the artists with all of these words in their names, by name, or what fits best first.
    package func artistPlaces(words: [String], names: Set<String>?, sort: CatalogQuery.Sort = .title) -> [Int] {
        let folded = words.map { TextFolding.folded($0) }
        if words.isEmpty, names == nil { return Array(artists.indices) }
        let found = artists.indices.filter {
            names?.contains(artists[$0].name) != false && Self.matches(folded, [artists[$0].name])
        }
        return sort == .relevance ? Relevance(words).sorted(found) { artists[$0].name } : found
    }

    /// Where letters begin in a list that is ordered by these names.
    package static func letters(_ names: some Sequence<String>) -> [CatalogLetter] {
        letters(beginnings: names.lazy.map(beginning))
    }

    /// Where letters begin in a query's list of albums; none for orders in which no names stand.
    package func albumLetters(_ query: CatalogQuery, _ places: [UInt32]) -> [CatalogLetter] {
        guard !query.isDescending else { return [] }
        let beginnings: [UInt32]
        switch query.sort {
        case .title: beginnings = order("albums.title.letters") { albums.map { Self.beginning(of: $0.title) } }
        case .artist: beginnings = order("albums.artist.letters") { albums.map { Self.beginning(of: $0.artist) } }
        default: return []
        }
        return Self.letters(beginnings: places.lazy.map { beginnings[Int($0)] })
    }

    /// Where letters begin in a list of artists by name.
    package func artistLetters(_ places: [Int]) -> [CatalogLetter] {
        let beginnings = order("artists.letters") { artists.map { Self.beginning(of: $0.name) } }
        return Self.letters(beginnings: places.lazy.map { beginnings[$0] })
    }

    private static func beginning(of name: String) -> UInt32 { name.unicodeScalars.first?.value ?? 0 }

    /// Where letters begin in a list of songs that is ordered by title; the titles are those of a generation.
    func songLetters(_ songs: some Sequence<UInt32>, _ titles: TagColumn, generation: Int64) -> [CatalogLetter] {
        func beginnings() -> [UInt32] {
            (0...UInt32(titles.count)).map { $0 == 0 ? 0 : titles.withBytes($0, Self.firstScalar) }
        }
        // Titles have other ranks in another state of the library.
        let known = generation == self.generation ? order("songs.title.letters", beginnings) : beginnings()
        return Self.letters(beginnings: songs.lazy.map { known[Int(titles.firstRank(of: $0))] })
    }

    private static func letters(beginnings: some Sequence<UInt32>) -> [CatalogLetter] {
        var letters: [CatalogLetter] = []
        var known: [UInt32: String] = [:]
        var last: UInt32?
        for (offset, key) in beginnings.enumerated() where key != last {
            last = key
            let letter = known[key] ?? letter(of: Unicode.Scalar(key).map { key == 0 ? "" : String($0) } ?? "")
            known[key] = letter
            // A collation may come back to a letter, as with brackets; the first place counts.
            if letters.last?.letter != letter, !letters.contains(where: { $0.letter == letter }) {
                letters.append(CatalogLetter(letter: letter, offset: offset))
            }
        }
        return letters
    }

    private static func firstScalar(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
        guard let first = text.first else { return 0 }
        if first < 0x80 { return UInt32(first) }
        var bytes = text.makeIterator()
        var decoder = Unicode.UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return 0 }
        return scalar.value
    }

    private static func letter(of name: String) -> String {
        guard let first = name.first else { return "#" }
        if first.isASCII { return first.isLetter ? first.uppercased() : "#" }
        let options: String.CompareOptions = [.diacriticInsensitive, .caseInsensitive]
        let plain = String(first).prefix(utf8: 32).folding(options: options, locale: nil).uppercased()
        return plain.first?.isLetter == true ? String(plain.prefix(1)) : "#"
    }

    private static func matches(_ words: [String], _ texts: [String]) -> Bool {
        if words.isEmpty { return true }
        let folded = texts.map { TextFolding.folded($0) }
        return words.allSatisfy { word in folded.contains { $0.contains(word) } }
    }

    private func albumIndex(of song: SongID) -> Int? { album(of: song).flatMap { index(of: $0) } }

    private func order(_ query: CatalogQuery) -> [UInt32] {
        let all = albums.indices.map { UInt32($0) }
        switch query.sort {
        case .artist: return all
        case .title, .relevance:
            return order("albums.title") {
                all.sorted { Collation.precedes(albums[Int($0)].title, albums[Int($1)].title) }
            }
        case .year: return order("albums.year") { sorted { $0.year } }
        case .added: return order("albums.added") { sorted { $0.added } }
        case .duration: return order("albums.duration") { sorted { $0.duration } }
        case .rating: return sorted { album in songs(of: album).map { query.ratings[$0] ?? 0 }.max() ?? 0 }
        case .played: return sorted { album in songs(of: album).map { query.plays[$0] ?? 0 }.max() ?? 0 }
        case .random:
            // The windows of one list have to fit together.
            var generator = SplitMix64(seed: query.seed)
            return all.shuffled(using: &generator)
        }
    }

    private func sorted<Value: Comparable>(by value: (Album) -> Value) -> [UInt32] {
        albums.enumerated().map { (value($1), UInt32($0)) }.sorted { $0 < $1 }.map(\.1)
    }
}
