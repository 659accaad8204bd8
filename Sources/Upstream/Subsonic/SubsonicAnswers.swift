/// The description that a server gives of itself.
package struct ServerIdentity: Hashable, Sendable {
    /// The program, such as `navidrome`, and its version, such as `0.63.2 (be10f89c)`; nil before OpenSubsonic.
    package var type, serverVersion: String?
    /// The API's version, such as `1.16.1`.
    package var apiVersion: String
    var isOpenSubsonic: Bool
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
    /// The server's id, never empty.
    package var id: String
    /// As it is shown, and without articles, as lists are sorted by it; nil where the server found none.
    package var name, sortName: String?
    /// Album artists in order.
    package var artists: [ArtistReference] = []
    /// All album artists as they should be shown, or the single `artist`.
    package var displayArtist: String?
    /// The release's MusicBrainz id.
    package var musicBrainzID: String?
    /// When this release came out, and when the work did first.
    package var releaseDate, originalReleaseDate: PartialDate?
    /// Its publishers, one text each.
    package var recordLabels: [String] = []
    /// The titles of its discs by their numbers, as far as they have any.
    package var discTitles: [Int: String] = [:]
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
    /// As it is shown, and without articles, as lists are sorted by it; nil where the server found none.
    package var name, sortName: String?
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
    /// When it changed last, and until when a smart playlist stays what it is: ISO 8601.
    package var changed, validUntil: String?
    /// The songs' ids in order; nil in a list of playlists, which does not say.
    package var entryIDs: [String]?
}

/// The items that the user starred themselves.
package struct StarredItems: Hashable, Sendable {
    /// In the server's order.
    package var artists: [SubsonicArtist] = []
    /// In the server's order.
    package var albums: [SubsonicAlbum] = []
    /// In the server's order.
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
    let id: String
    let time: Int64

    /// Takes the server's id of the song, and when it began, in Unix milliseconds.
    package init(id: String, time: Int64) { (self.id, self.time) = (id, time) }
}

/// A picture in the bytes of its file.
package struct CoverPicture: Hashable, Sendable {
    /// The file.
    package var bytes: [UInt8]
    /// Its MIME type, such as `image/jpeg`.
    package var contentType: String

    /// Makes a picture.
    package init(bytes: [UInt8], contentType: String) { (self.bytes, self.contentType) = (bytes, contentType) }
}

// MARK: Reading

extension ScanStatus: JSONReadable {
    init?(_ reader: inout JSONReader) throws {
        self.init(isScanning: false)
        let isObject = try reader.members { reader, name in
            switch name {
            case "scanning": isScanning = try reader.bool() ?? false
            case "count": count = try reader.notNegative()
            case "lastScan": lastScan = try reader.nonEmptyText()
            default: try reader.skip()
            }
        }
        if !isObject { return nil }
    }
}

extension SubsonicAlbum: JSONReadable {
    init?(_ reader: inout JSONReader) throws {
        self.init(id: "")
        var artist: String?
        try reader.members { reader, name in
            switch name {
            case "id": id = try reader.text() ?? ""
            case "name": self.name = try reader.nonEmptyText()
            case "sortName": sortName = try reader.nonEmptyText()
            case "artist": artist = try reader.nonEmptyText()
            case "artists": artists = try reader.list()
            case "displayArtist": displayArtist = try reader.nonEmptyText()
            case "musicBrainzId": musicBrainzID = try reader.nonEmptyText()
            case "releaseDate": releaseDate = try reader.partialDate()
            case "originalReleaseDate": originalReleaseDate = try reader.partialDate()
            case "recordLabels": recordLabels = try reader.names()
            case "discTitles": try reader.elements { try readDiscTitle(&$0) }
            case "starred": starred = try reader.nonEmptyText()
            case "userRating": userRating = try reader.positive()
            case "playCount": playCount = try reader.notNegative()
            default: try reader.skip()
            }
        }
        if id.isEmpty { return nil }
        displayArtist = displayArtist ?? artist
    }

    private mutating func readDiscTitle(_ reader: inout JSONReader) throws {
        var (disc, title): (Int?, String?) = (nil, nil)
        try reader.members { reader, name in
            switch name {
            case "disc": disc = try reader.notNegative()
            case "title": title = try reader.nonEmptyText()
            default: try reader.skip()
            }
        }
        if let disc, discTitles[disc] == nil { discTitles[disc] = title }
    }
}

extension SubsonicArtist: JSONReadable {
    init?(_ reader: inout JSONReader) throws {
        self.init(id: "")
        try reader.members { reader, name in
            switch name {
            case "id": id = try reader.text() ?? ""
            case "name": self.name = try reader.nonEmptyText()
            case "sortName": sortName = try reader.nonEmptyText()
            case "musicBrainzId": musicBrainzID = try reader.nonEmptyText()
            case "starred": starred = try reader.nonEmptyText()
            case "userRating": userRating = try reader.positive()
            default: try reader.skip()
            }
        }
        if id.isEmpty { return nil }
    }
}

extension SubsonicPlaylist: JSONReadable {
    init?(_ reader: inout JSONReader) throws {
        self.init(id: "")
        try reader.members { reader, name in
            switch name {
            case "id": id = try reader.text() ?? ""
            case "name": self.name = try reader.nonEmptyText()
            case "owner": owner = try reader.nonEmptyText()
            case "public": isPublic = try reader.bool() ?? false
            case "readonly": isReadOnly = try reader.bool() ?? false
            case "changed": changed = try reader.nonEmptyText()
            case "validUntil": validUntil = try reader.nonEmptyText()
            case "entry": entryIDs = try reader.list { try $0.id() }
            default: try reader.skip()
            }
        }
        if id.isEmpty { return nil }
    }
}

extension StarredItems: JSONReadable {
    init(_ reader: inout JSONReader) throws {
        self.init()
        try reader.members { reader, name in
            switch name {
            case "artist": artists = try reader.list()
            case "album": albums = try reader.list()
            case "song": songs = try reader.list()
            default: try reader.skip()
            }
        }
    }
}

extension RadioStation: JSONReadable {
    init?(_ reader: inout JSONReader) throws {
        self.init(id: "", name: "", streamURL: "")
        try reader.members { reader, name in
            switch name {
            case "id": id = try reader.text() ?? ""
            case "name": self.name = try reader.text() ?? ""
            case "streamUrl": streamURL = try reader.text() ?? ""
            case "homePageUrl": homePageURL = try reader.nonEmptyText()
            case "coverArt": coverArt = try reader.nonEmptyText()
            default: try reader.skip()
            }
        }
        if id.isEmpty || streamURL.isEmpty { return nil }
    }
}
