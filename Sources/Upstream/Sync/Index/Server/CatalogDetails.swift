import Subsonic
import UserLibrary

/// The details of albums and artists that songs don't repeat: sort names, exact dates, labels, MusicBrainz ids; and
/// those of songs that only Navidrome's own API tells.
struct CatalogDetails: Sendable {
    struct Album: Sendable {
        var sortName: String?
        var musicBrainzID: String?
        var releaseDate: PartialDate?
        var originalReleaseDate: PartialDate?
        var labels: [String] = []
        var discTitles: [Int: String] = [:]
    }

    struct Artist: Sendable {
        var sortName: String?
        var musicBrainzID: String?
    }

    /// True if Navidrome's own API has a part in the details.
    enum OwnAPI: Hashable, Sendable {
        /// The server has none, or is not asked.
        case none
        /// All that it tells of the songs is here.
        case read
        /// It can't be reached now, and the index has what it told before.
        case unread
    }

    private(set) var albums: [String: Album] = [:]
    private(set) var artists: [String: Artist] = [:]
    /// By the songs' ids.
    var songs = PackedDetails()
    var ownAPI = OwnAPI.none
    private(set) var albumMarks: [ServerItemMarks] = []
    private(set) var artistMarks: [ServerItemMarks] = []

    mutating func add(_ album: SubsonicAlbum) {
        albumMarks.append(ServerItemMarks(album))
        let details = Album(
            sortName: TagText.sortName(album.sortName, of: album.name),
            musicBrainzID: TagText.clean(album.musicBrainzID), releaseDate: album.releaseDate,
            originalReleaseDate: album.originalReleaseDate,
            labels: album.recordLabels.compactMap(TagText.clean), discTitles: album.discTitles)
        albums[album.id] = details
    }

    /// Keeps what Navidrome's own API tells of an artist, in place of what the Subsonic API did.
    mutating func add(_ artist: NavidromeArtist) {
        let name = TagText.clean(artist.name)
        let sortName = artist.sortName == name ? nil : artist.sortName
        artists[artist.id] =
            sortName == nil && artist.musicBrainzID == nil
            ? nil : Artist(sortName: sortName, musicBrainzID: artist.musicBrainzID)
    }

    /// The part that every server tells with a song, and with its album.
    var plain: CatalogDetails {
        var plain = CatalogDetails()
        plain.albums = albums
        return plain
    }

    /// Keeps what Navidrome's own API tells in place of what the Subsonic API did.
    mutating func add(_ own: CatalogDetails) {
        (songs, artists, ownAPI) = (own.songs, own.artists, own.ownAPI)
    }

    mutating func add(albumsOf others: CatalogDetails) {
        albums.merge(others.albums) { _, new in new }
        albumMarks += others.albumMarks
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
