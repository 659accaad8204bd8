import Subsonic
import UserLibrary
import UserSync

/// The details of albums and artists that songs don't repeat: sort names, exact dates, labels, MusicBrainz ids.
struct CatalogDetails: Sendable {
    struct Album: Sendable {
        var sortName: String?
        var musicBrainzID: String?
        var releaseDate: PartialDate?
        var originalReleaseDate: PartialDate?
        var labels: [String] = []
        /// The titles of its discs by their numbers.
        var discTitles: [Int: String] = [:]
    }

    struct Artist: Sendable {
        var sortName: String?
        var musicBrainzID: String?
    }

    private(set) var albums: [String: Album] = [:]
    private(set) var artists: [String: Artist] = [:]
    /// The marks that the server's user gave the albums.
    private(set) var albumMarks: [ServerItemMarks] = []
    /// The marks that the server's user gave the artists.
    private(set) var artistMarks: [ServerItemMarks] = []

    /// Keeps what an album tells.
    mutating func add(_ album: SubsonicAlbum) {
        albumMarks.append(ServerItemMarks(album))
        let details = Album(
            sortName: TagText.sortName(album.sortName, of: album.name),
            musicBrainzID: TagText.clean(album.musicBrainzID), releaseDate: album.releaseDate,
            originalReleaseDate: album.originalReleaseDate,
            labels: album.recordLabels.compactMap(TagText.clean),
            discTitles: Dictionary(album.discTitles.map { ($0.disc, $0.title) }) { first, _ in first })
        albums[album.id] = details
    }

    /// Keeps what an artist tells, if it is anything.
    mutating func add(_ artist: SubsonicArtist) {
        artistMarks.append(ServerItemMarks(artist))
        let details = Artist(
            sortName: TagText.sortName(artist.sortName, of: artist.name),
            musicBrainzID: TagText.clean(artist.musicBrainzID))
        guard details.sortName != nil || details.musicBrainzID != nil else { return }
        artists[artist.id] = details
    }
}
