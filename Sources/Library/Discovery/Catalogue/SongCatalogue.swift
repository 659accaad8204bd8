package import MusicModel

/// The fields of every song that choosing needs, in columns: 50,000 songs take about 3 MB. Texts are the numbers that
/// the index gave them; a song's place in the columns is its slot. Slots follow the folders, so that songs of an album
/// are neighbours in their order.
package struct SongCatalogue: Sendable {
    /// A song as it enters a catalogue.
    package struct Entry: Sendable {
        /// The song's number in the index.
        package var id: SongID
        /// The numbers of its artists, the first one first.
        package var artists: [UInt32]
        /// The numbers of its genres.
        package var genres: [UInt32]
        /// The numbers of its moods.
        package var moods: [UInt32] = []
        /// The number of its album's title; 0 without one.
        package var album: UInt32 = 0
        /// The number of its album's artist; 0 without one.
        package var albumArtist: UInt32 = 0
        /// The number of its title; 0 without one.
        package var title: UInt32 = 0
        /// The year of its release; 0 is unknown.
        package var year: Int16 = 0
        /// Its length in seconds; 0 is unknown.
        package var seconds: Int32 = 0
        /// When it came into the library, in Unix seconds; 0 is unknown.
        package var added: Int64 = 0

        /// Describes a song.
        package init(id: SongID, artists: [UInt32], genres: [UInt32]) {
            (self.id, self.artists, self.genres) = (id, artists, genres)
        }
    }

    /// The index's generation that it shows.
    package let generation: Int64
    /// The songs' numbers by their slots.
    package let ids: ContiguousArray<SongID>
    /// The names of genres by their numbers.
    package let genreNames: [UInt32: String]
    /// The names of moods by their numbers.
    package let moodNames: [UInt32: String]
    /// The numbers of albums, from 1 on without gaps; 0 is none.
    let albums: ContiguousArray<UInt32>
    let titles: ContiguousArray<UInt32>
    let years: ContiguousArray<Int16>
    let seconds: ContiguousArray<Int32>
    let added: ContiguousArray<Int64>
    /// Not the index's numbers: they go from 1 on without gaps.
    let artists: RaggedColumn
    let genres: RaggedColumn
    let (albumCount, artistCount): (Int, Int)
    private let moods: RaggedColumn
    private let slots: [SongID: Int32]
    /// How telling a genre is: 0 for one that all songs have.
    let genreWeights: [UInt32: Float]

    /// An album's title with its artist's, as albums of one title are many.
    private struct AlbumKey: Hashable {
        let title: UInt32
        let artist: UInt32
    }

    /// Makes a catalogue of songs in the order of their folders.
    package init(
        _ entries: [Entry], generation: Int64 = 0, genreNames: [UInt32: String] = [:], moodNames: [UInt32: String] = [:]
    ) {
        (self.generation, self.genreNames, self.moodNames) = (generation, genreNames, moodNames)
        ids = ContiguousArray(entries.map(\.id))
        var albumNumbers = Numbering<AlbumKey>()
        albums = ContiguousArray(
            entries.map { entry in
                entry.album == 0 ? 0 : albumNumbers.number(of: AlbumKey(title: entry.album, artist: entry.albumArtist))
            })
        titles = ContiguousArray(entries.map(\.title))
        years = ContiguousArray(entries.map(\.year))
        seconds = ContiguousArray(entries.map(\.seconds))
        added = ContiguousArray(entries.map(\.added))
        var artistNumbers = Numbering<UInt32>()
        artists = RaggedColumn(entries.map(\.artists)) { artistNumbers.number(of: $0) }
        (albumCount, artistCount) = (albumNumbers.count, artistNumbers.count)
        genres = RaggedColumn(entries.map(\.genres))
        moods = RaggedColumn(entries.map(\.moods))
        slots = Dictionary(
            entries.enumerated().map { ($1.id, Int32(clamping: $0)) }, uniquingKeysWith: { first, _ in first })
        var counts: [UInt32: Int] = [:]
        for genre in genres.values { counts[genre, default: 0] += 1 }
        let total = Float(max(entries.count, 1))
        genreWeights = counts.mapValues { max(0.05, logarithm(total / Float($0))) }
    }

    /// How many songs there are.
    package var count: Int { ids.count }
    /// A song's slot; nil for songs that are not in the library.
    package func slot(of song: SongID) -> Int? { slots[song].map(Int.init) }
    func artists(at slot: Int) -> ArraySlice<UInt32> { artists[slot] }
    func genres(at slot: Int) -> ArraySlice<UInt32> { genres[slot] }
    func moods(at slot: Int) -> ArraySlice<UInt32> { moods[slot] }

    func withTags<Result>(_ body: (Tags) -> Result) -> Result {
        genres.withView { genres in
            artists.withView { artists in
                years.withUnsafeBufferPointer { body(Tags(genres: genres, artists: artists, years: $0)) }
            }
        }
    }

    struct Tags {
        let genres: RaggedColumn.View
        let artists: RaggedColumn.View
        let years: UnsafeBufferPointer<Int16>
    }

    func sharesArtist(_ first: Int, _ second: Int) -> Bool {
        let others = artists(at: second)
        return artists(at: first).contains { others.contains($0) }
    }

    /// True if two songs are one piece of music by their tags: a single and its album's track.
    func isSamePiece(_ first: Int, _ second: Int) -> Bool {
        titles[first] != 0 && titles[first] == titles[second] && sharesArtist(first, second)
    }
}

/// Gives numbers from 1 on to keys in the order in which they come first. Neighbours are mostly alike.
private struct Numbering<Key: Hashable> {
    private var numbers: [Key: UInt32] = [:]
    private var last: (key: Key, number: UInt32)?

    var count: Int { numbers.count }

    mutating func number(of key: Key) -> UInt32 {
        if let last, last.key == key { return last.number }
        let number = numbers[key] ?? UInt32(clamping: numbers.count + 1)
        if number > numbers.count { numbers[key] = number }
        last = (key, number)
        return number
    }
}

struct RaggedColumn: Sendable {
    private(set) var values: [UInt32] = []
    private var ends: ContiguousArray<Int32> = []

    init(_ rows: [[UInt32]], as written: (UInt32) -> UInt32 = { $0 }) {
        ends.reserveCapacity(rows.count)
        for row in rows {
            for value in row { values.append(written(value)) }
            ends.append(Int32(clamping: values.count))
        }
    }

    subscript(row: Int) -> ArraySlice<UInt32> { values[(row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])] }

    func withView<Result>(_ body: (View) -> Result) -> Result {
        values.withUnsafeBufferPointer { values in
            ends.withUnsafeBufferPointer { body(View(values: values, ends: $0)) }
        }
    }

    /// A column's memory, whose owner need not be counted for each row.
    struct View {
        fileprivate let values: UnsafeBufferPointer<UInt32>
        fileprivate let ends: UnsafeBufferPointer<Int32>

        @inline(__always)
        subscript(row: Int) -> UnsafeBufferPointer<UInt32> {
            UnsafeBufferPointer(rebasing: values[(row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])])
        }
    }
}
