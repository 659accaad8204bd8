package import MusicModel

/// The fields of every song that choosing needs, in columns: 50,000 songs take about 3 MB.
///
/// Texts are the numbers that the index gave them; a song's place in the columns is its slot. Slots follow the folders,
/// so that songs of an album are neighbours in their order.
/// - Isolation: any; it never changes.
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
            self.id = id
            self.artists = artists
            self.genres = genres
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
    let albums: ContiguousArray<AlbumKey>
    let titles: ContiguousArray<UInt32>
    let years: ContiguousArray<Int16>
    let seconds: ContiguousArray<Int32>
    let added: ContiguousArray<Int64>
    let artists: RaggedColumn
    let genres: RaggedColumn
    private let moods: RaggedColumn
    private let slots: [SongID: Int32]
    /// How telling a genre is: 0 for one that all songs have.
    let genreWeights: [UInt32: Float]

    /// An album's title with its artist's, as albums of one title are many.
    struct AlbumKey: Hashable, Sendable {
        var title: UInt32
        var artist: UInt32
        /// Songs without a title of an album belong to none.
        var isNone: Bool { title == 0 }
    }

    /// Makes a catalogue of songs in the order of their folders.
    package init(
        _ entries: [Entry], generation: Int64 = 0, genreNames: [UInt32: String] = [:],
        moodNames: [UInt32: String] = [:]
    ) {
        self.generation = generation
        self.genreNames = genreNames
        self.moodNames = moodNames
        ids = ContiguousArray(entries.map(\.id))
        albums = ContiguousArray(
            entries.map { AlbumKey(title: $0.album, artist: $0.album == 0 ? 0 : $0.albumArtist) })
        titles = ContiguousArray(entries.map(\.title))
        years = ContiguousArray(entries.map(\.year))
        seconds = ContiguousArray(entries.map(\.seconds))
        added = ContiguousArray(entries.map(\.added))
        artists = RaggedColumn(entries.map(\.artists))
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

    /// The numbers of a song's artists.
    func artists(at slot: Int) -> ArraySlice<UInt32> { artists[slot] }

    /// The numbers of a song's genres.
    func genres(at slot: Int) -> ArraySlice<UInt32> { genres[slot] }

    /// The numbers of a song's moods.
    func moods(at slot: Int) -> ArraySlice<UInt32> { moods[slot] }

    /// Whether two songs have an artist in common.
    func sharesArtist(_ first: Int, _ second: Int) -> Bool {
        let others = artists(at: second)
        return artists(at: first).contains { others.contains($0) }
    }

    /// Whether two songs are one piece of music as far as their tags tell: a single and its album's track.
    func isSamePiece(_ first: Int, _ second: Int) -> Bool {
        titles[first] != 0 && titles[first] == titles[second] && sharesArtist(first, second)
    }
}

/// A column with any number of values in each row.
struct RaggedColumn: Sendable {
    private(set) var values: [UInt32] = []
    private var ends: ContiguousArray<Int32> = []

    init(_ rows: [[UInt32]]) {
        ends.reserveCapacity(rows.count)
        for row in rows {
            values += row
            ends.append(Int32(clamping: values.count))
        }
    }

    subscript(row: Int) -> ArraySlice<UInt32> { values[places(of: row)] }

    /// The first of a row's values; nil where it has none.
    func first(ofRow row: Int) -> UInt32? {
        let places = places(of: row)
        return places.isEmpty ? nil : values[places.lowerBound]
    }

    /// Where a row's values are among all of them: reading them there makes no slice, which loops over all songs feel.
    func places(of row: Int) -> Range<Int> { (row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row]) }
}
