import Coordination
package import MusicModel
import Synchronization

/// The library by albums, artists and genres at one generation, read once and kept, so that a window takes no query.
package final class Catalog: Sendable {
    /// Songs of one artist, or one compilation, under one title.
    package struct Album: Sendable {
        /// The same in every process, as long as title and artist stay; for addresses.
        package var id: UInt64
        /// As the tag `Album` has it.
        package var title: String
        /// The name to show, which may stand for several artists.
        package var artist: String
        /// Where its credits lead: an index into `artists`.
        package var artistPlace: Int
        /// 0 where it isn't known.
        package var year = 0
        /// Unix seconds of the newest song; 0 where it isn't known.
        package var added: Int64 = 0
        /// How long all of its songs last together.
        package var duration = Duration.zero
        /// Changes with the picture.
        package var pictureVersion: UInt32 = 0
        /// The indices of its songs in `songs`.
        package var songs = 0..<0
    }

    /// An artist with albums.
    package struct Artist: Sendable {
        package var id: UInt64
        package var name: String
        /// How many songs credit the artist.
        package var songs = 0
        /// The indices of the albums, in their order by year.
        package var albums: [Int] = []
    }

    /// A genre, a value of its tag.
    package struct Genre: Sendable {
        package var name: String
        /// How many songs have it.
        package var songs = 0
        /// How many albums have a song of it.
        package var albums = 0
    }

    /// The index's generation that was read; a later one may have other songs.
    package let generation: Int64
    /// In the order of artists, years and titles.
    package let albums: [Album]
    /// In the order of their names.
    package let artists: [Artist]
    /// In the order of their names.
    package let genres: [Genre]
    /// All songs, album by album, those without one at the end.
    package let songs: [UInt32]
    private let albumOfSong: [UInt32]
    private let albumIndices: [UInt64: Int]
    private let artistIndices: [UInt64: Int]
    private let orders = Mutex<[String: [UInt32]]>([:])

    init(
        generation: Int64, albums: [Album], artists: [Artist], genres: [Genre], songs: [UInt32], albumOfSong: [UInt32]
    ) {
        self.generation = generation
        (self.albums, self.artists, self.genres, self.songs) = (albums, artists, genres, songs)
        self.albumOfSong = albumOfSong
        albumIndices = Dictionary(albums.indices.map { (albums[$0].id, $0) }) { first, _ in first }
        artistIndices = Dictionary(artists.indices.map { (artists[$0].id, $0) }) { first, _ in first }
    }

    /// The album of an address; nil when it is gone.
    package func album(id: UInt64) -> Album? { albumIndices[id].map { albums[$0] } }

    /// The album of a title by an artist; nil where there is none of exactly these names.
    package func album(titled title: String, by artist: String) -> Album? { album(id: Self.id(artist, title)) }

    /// The artist of an address; nil when it is gone.
    package func artist(id: UInt64) -> Artist? { artistIndices[id].map { artists[$0] } }

    /// The artist of a name; nil for one without albums.
    package func artist(named name: String) -> Artist? { artist(id: Self.id(name, "")) }

    /// The album of a song; nil for one without an album.
    package func album(of song: SongID) -> Album? {
        guard let number = Int(exactly: song.rawValue), albumOfSong.indices.contains(number) else { return nil }
        let index = Int(albumOfSong[number])
        return index > 0 ? albums[index - 1] : nil
    }

    func index(of album: Album) -> Int? { albumIndices[album.id] }

    /// The songs of an album, in their order.
    package func songs(of album: Album) -> [SongID] { songs[album.songs].map { SongID(rawValue: Int64($0)) } }

    /// An order that was asked for before, or a number for each index, or else what `make` brings.
    func order(_ key: String, _ make: () throws -> [UInt32]) rethrows -> [UInt32] {
        if let known = orders.withLock({ $0[key] }) { return known }
        let made = try make()
        orders.withLock { orders in
            // Few are in use at a time.
            if orders.count >= 12 { orders = [:] }
            orders[key] = made
        }
        return made
    }

    /// The number by which an album is known in addresses.
    package static func albumID(_ title: String, by artist: String) -> UInt64 { id(artist, title) }

    /// The number by which a station is known in addresses, from its own address.
    package static func stationID(_ url: String) -> UInt64 { id("", url) }

    /// The number by which an album, or an artist, is known in addresses.
    static func id(_ artist: String, _ title: String) -> UInt64 {
        var hash = FNV1a()
        hash.combine(artist)
        hash.combine(byte: 0)
        hash.combine(title)
        return hash.value
    }
}
