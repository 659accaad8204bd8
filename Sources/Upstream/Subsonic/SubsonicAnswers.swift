/// The description that a server gives of itself.
package struct ServerIdentity: Hashable, Sendable {
    /// The program, such as `navidrome`; nil before OpenSubsonic.
    package var type: String?
    /// The program's version, such as `0.63.2 (be10f89c)`; nil before OpenSubsonic.
    package var serverVersion: String?
    /// The API's version, such as `1.16.1`.
    package var apiVersion: String
    /// True if it speaks OpenSubsonic.
    package var isOpenSubsonic: Bool
}

/// Where the server's own scan of its files is.
package struct ScanStatus: Hashable, Sendable {
    /// True if a scan runs.
    package var isScanning: Bool
    /// How many songs there are; during a scan on Navidrome, how many were checked so far.
    package var count: Int?
    /// When the last scan began, as the server writes it; moves at every scan, also at one that changed nothing.
    package var lastScan: String?
}

/// A piece of a long list.
package struct SubsonicPage<Item: Hashable & Sendable>: Hashable, Sendable {
    /// The items that could be read, in the server's order.
    package var items: [Item]
    /// How many more there were without a usable id.
    package var skipped: Int = 0

    /// How many entries the server sent: fewer than asked for means that the list ends here.
    package var received: Int { items.count + skipped }
}

/// An album: Subsonic's `AlbumID3` with OpenSubsonic's fields, of which songs carry only a part.
package struct SubsonicAlbum: Hashable, Sendable {
    /// The title of one disc of several.
    package struct DiscTitle: Hashable, Sendable {
        /// The disc's number.
        package var disc: Int
        /// As it is shown, such as `Live at home`.
        package var title: String
    }

    /// The server's id, never empty.
    package var id: String
    /// As it is shown; nil where the server found none.
    package var name: String?
    /// Without articles, as lists are sorted by it.
    package var sortName: String?
    /// Album artists in order.
    package var artists: [ArtistReference] = []
    /// All album artists as they should be shown, or the single `artist`.
    package var displayArtist: String?
    /// The release's MusicBrainz id.
    package var musicBrainzID: String?
    /// When this release came out.
    package var releaseDate: PartialDate?
    /// When the work came out first.
    package var originalReleaseDate: PartialDate?
    /// Its publishers, one text each.
    package var recordLabels: [String] = []
    /// The titles of its discs; empty where none has a title of its own.
    package var discTitles: [DiscTitle] = []
    /// When the user starred it; nil if not starred.
    package var starred: String?
    /// 1 to 5; nil if not rated.
    package var userRating: Int?

    /// How often its songs were played; nil where the server doesn't count that.
    package var playCount: Int?
}

/// An artist: Subsonic's `ArtistID3` with OpenSubsonic's fields.
package struct SubsonicArtist: Hashable, Sendable {
    /// The server's id, never empty.
    package var id: String
    /// As it is shown; nil where the server found none.
    package var name: String?
    /// Without articles, as lists are sorted by it.
    package var sortName: String?
    /// The UUID of the artist at MusicBrainz.
    package var musicBrainzID: String?
    /// When the user starred it; nil if not starred.
    package var starred: String?
    /// 1 to 5; nil if not rated.
    package var userRating: Int?
}

/// A playlist as the server keeps it, with its entries where the answer has them.
package struct SubsonicPlaylist: Hashable, Sendable {
    /// The server's id, never empty.
    package var id: String
    /// Need not be unique.
    package var name: String?
    /// Its maker.
    package var owner: String?
    /// True if others see it.
    package var isPublic = false
    /// True if it can't be edited, as smart playlists can't.
    package var isReadOnly = false
    /// When it changed last: ISO 8601.
    package var changed: String?
    /// Until when a smart playlist stays what it is: ISO 8601.
    package var validUntil: String?
    /// The songs' ids in order; nil in a list of playlists, which does not say.
    package var entryIDs: [String]?
}

/// The items that the user starred.
package struct StarredItems: Hashable, Sendable {
    /// Artists that were starred themselves.
    package var artists: [SubsonicArtist] = []
    /// Albums that were starred themselves.
    package var albums: [SubsonicAlbum] = []
    /// Songs that were starred themselves.
    package var songs: [SubsonicSong] = []
}

/// A radio station that the server keeps.
package struct RadioStation: Hashable, Sendable {
    /// The server's id, never empty.
    package var id: String
    /// As it is shown; need not be unique.
    package var name: String
    /// Where the sound is; may hold credentials, so it is never logged.
    package var streamURL: String
    /// The station's page.
    package var homePageURL: String?
    /// The id of its picture, or the picture's file name in some versions of Navidrome; nil where it has none.
    package var coverArt: String?
}

/// One play to report.
package struct SubsonicPlay: Hashable, Sendable {
    /// The song's id on the server.
    package var id: String
    /// When the play began, in Unix milliseconds.
    package var time: Int64

    /// Makes a play.
    package init(id: String, time: Int64) {
        self.id = id
        self.time = time
    }
}

/// A picture in the bytes of its file.
package struct CoverPicture: Hashable, Sendable {
    /// The file.
    package var bytes: [UInt8]
    /// Its MIME type, such as `image/jpeg`.
    package var contentType: String

    /// Makes a picture.
    package init(bytes: [UInt8], contentType: String) {
        self.bytes = bytes
        self.contentType = contentType
    }
}
