/// What a server says of itself.
public struct ServerIdentity: Hashable, Sendable {
    /// The program, such as `navidrome`; nil before OpenSubsonic.
    public var type: String?
    /// The program's version, such as `0.63.2 (be10f89c)`; nil before OpenSubsonic.
    public var serverVersion: String?
    /// The API's version, such as `1.16.1`.
    public var apiVersion: String
    /// Whether it speaks OpenSubsonic.
    public var isOpenSubsonic: Bool

    /// Makes an identity.
    public init(type: String? = nil, serverVersion: String? = nil, apiVersion: String, isOpenSubsonic: Bool) {
        self.type = type
        self.serverVersion = serverVersion
        self.apiVersion = apiVersion
        self.isOpenSubsonic = isOpenSubsonic
    }
}

/// Where the server's own scan of its files is.
public struct ScanStatus: Hashable, Sendable {
    /// Whether a scan runs.
    public var isScanning: Bool
    /// How many songs there are; during a scan on Navidrome, how many were looked at so far.
    public var count: Int?
    /// When the last scan began, as the server writes it; moves at every scan, also at one that changed nothing.
    public var lastScan: String?

    /// Makes a status.
    public init(isScanning: Bool, count: Int? = nil, lastScan: String? = nil) {
        self.isScanning = isScanning
        self.count = count
        self.lastScan = lastScan
    }
}

/// A piece of a long list.
public struct SubsonicPage<Item: Hashable & Sendable>: Hashable, Sendable {
    /// What could be read, in the server's order.
    public var items: [Item]
    /// How many more there were without a usable id.
    public var skipped: Int

    /// Makes a page.
    public init(items: [Item], skipped: Int = 0) {
        self.items = items
        self.skipped = skipped
    }

    /// How many entries the server sent: fewer than asked for means that the list ends here.
    public var received: Int { items.count + skipped }
}

/// An album: Subsonic's `AlbumID3` with OpenSubsonic's fields, of which songs carry only a part.
public struct SubsonicAlbum: Hashable, Sendable {
    /// The title of one disc of several.
    public struct DiscTitle: Hashable, Sendable {
        /// The disc's number.
        public var disc: Int
        /// As it is shown, such as `Live at home`.
        public var title: String
        /// Pairs a disc with what it is called.
        public init(disc: Int, title: String) {
            self.disc = disc
            self.title = title
        }
    }

    /// The server's id, never empty.
    public var id: String
    /// As it is shown; nil where the server found none.
    public var name: String?
    /// Without articles, as lists are sorted by it.
    public var sortName: String?
    /// The version of the album, such as `Deluxe Edition`.
    public var version: String?
    /// Album artists in order.
    public var artists: [ArtistReference] = []
    /// All album artists as they should be shown, or the single `artist`.
    public var displayArtist: String?
    /// The release's MusicBrainz id.
    public var musicBrainzID: String?
    /// Of the release that lists are sorted by (`year`).
    public var year: Int?
    /// When this release came out.
    public var releaseDate: PartialDate?
    /// When the work came out first.
    public var originalReleaseDate: PartialDate?
    /// `Album`, `EP`, `Live`, ...
    public var releaseTypes: [String] = []
    /// Who published it, one text each.
    public var recordLabels: [String] = []
    /// What its discs are called; empty where none has a title of its own.
    public var discTitles: [DiscTitle] = []
    /// Whether it is a compilation.
    public var isCompilation = false
    /// `genres`, or the single `genre` where the server has no list.
    public var genres: [String] = []
    /// How many songs, deleted ones included on Navidrome.
    public var songCount: Int?
    /// The picture's id.
    public var coverArt: String?
    /// When the user starred it; nil if not starred.
    public var starred: String?
    /// 1 to 5; nil if not rated.
    public var userRating: Int?

    /// How often its songs were played; nil where the server doesn't count that.
    public var playCount: Int?
    /// When one of its songs was played last, as `starred`.
    public var played: String?

    /// Makes an album of which nothing but the id is known.
    public init(id: String) { self.id = id }
}

/// An artist: Subsonic's `ArtistID3` with OpenSubsonic's fields.
public struct SubsonicArtist: Hashable, Sendable {
    /// The server's id, never empty.
    public var id: String
    /// As it is shown; nil where the server found none.
    public var name: String?
    /// Without articles, as lists are sorted by it.
    public var sortName: String?
    /// The UUID of the artist at MusicBrainz.
    public var musicBrainzID: String?
    /// The picture's id.
    public var coverArt: String?
    /// When the user starred it; nil if not starred.
    public var starred: String?
    /// 1 to 5; nil if not rated.
    public var userRating: Int?

    /// Makes an artist of which nothing but the id is known.
    public init(id: String) { self.id = id }
}

/// A playlist as the server keeps it, with its entries where the answer has them.
public struct SubsonicPlaylist: Hashable, Sendable {
    /// The server's id, never empty.
    public var id: String
    /// Need not be unique.
    public var name: String?
    /// Free text of its owner.
    public var comment: String?
    /// Who made it.
    public var owner: String?
    /// Whether others see it.
    public var isPublic = false
    /// Whether it can't be edited, as smart playlists can't.
    public var isReadOnly = false
    /// How many songs; 0 for a smart playlist that was never opened.
    public var songCount: Int?
    /// When it was made: ISO 8601.
    public var created: String?
    /// When it changed last: ISO 8601.
    public var changed: String?
    /// The songs' ids in order; nil in a list of playlists, which does not say.
    public var entryIDs: [String]?

    /// Makes a playlist of which nothing but the id is known.
    public init(id: String) { self.id = id }
}

/// What the user starred.
public struct StarredItems: Hashable, Sendable {
    /// Artists that were starred themselves.
    public var artists: [SubsonicArtist]
    /// Albums that were starred themselves.
    public var albums: [SubsonicAlbum]
    /// Songs that were starred themselves.
    public var songs: [SubsonicSong]

    /// Collects the three.
    public init(artists: [SubsonicArtist] = [], albums: [SubsonicAlbum] = [], songs: [SubsonicSong] = []) {
        self.artists = artists
        self.albums = albums
        self.songs = songs
    }
}

/// A radio station that the server keeps.
public struct RadioStation: Hashable, Sendable {
    /// The server's id, never empty.
    public var id: String
    /// As it is shown; need not be unique.
    public var name: String
    /// Where the sound is; may hold credentials, so it is never logged.
    public var streamURL: String
    /// The station's page.
    public var homePageURL: String?

    /// Makes a station.
    public init(id: String, name: String, streamURL: String, homePageURL: String? = nil) {
        self.id = id
        self.name = name
        self.streamURL = streamURL
        self.homePageURL = homePageURL
    }
}

/// One play to report.
public struct SubsonicPlay: Hashable, Sendable {
    /// The song's id on the server.
    public var id: String
    /// When the play began, in Unix milliseconds.
    public var time: Int64

    /// Makes a play.
    public init(id: String, time: Int64) {
        self.id = id
        self.time = time
    }
}

/// A picture in the bytes of its file.
public struct CoverPicture: Hashable, Sendable {
    /// The file.
    public var bytes: [UInt8]
    /// Its MIME type, such as `image/jpeg`.
    public var contentType: String

    /// Makes a picture.
    public init(bytes: [UInt8], contentType: String) {
        self.bytes = bytes
        self.contentType = contentType
    }
}
