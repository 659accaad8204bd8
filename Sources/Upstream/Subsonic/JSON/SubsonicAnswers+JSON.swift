/// How albums are read.
extension SubsonicAlbum {
    private enum Member: String, CaseIterable {
        case id, name, sortName, artist, artists, displayArtist, musicBrainzId, releaseDate, originalReleaseDate
        case recordLabels, discTitles, starred, userRating, playCount
    }

    private static let names = MemberNames<Member>()

    /// Reads an album; nil where there is no object or none with an id.
    init?(_ reader: inout JSONReader) throws(JSONProblem) {
        var album = SubsonicAlbum(id: "")
        var artist: String?
        try reader.members { (reader, name) throws(JSONProblem) in
            switch Self.names[name] {
            case .artist: artist = try reader.nonEmptyText()
            case let member?: try album.read(member, &reader)
            case nil: try reader.skip()
            }
        }
        if album.id.isEmpty { return nil }
        album.displayArtist = album.displayArtist ?? artist
        self = album
    }

    private mutating func read(_ member: Member, _ reader: inout JSONReader) throws(JSONProblem) {
        switch member {
        case .id: id = try reader.text() ?? ""
        case .name: name = try reader.nonEmptyText()
        case .sortName: sortName = try reader.nonEmptyText()
        case .artists: artists = try reader.artistReferences()
        case .displayArtist: displayArtist = try reader.nonEmptyText()
        case .musicBrainzId: musicBrainzID = try reader.nonEmptyText()
        case .releaseDate: releaseDate = try reader.partialDate()
        case .originalReleaseDate: originalReleaseDate = try reader.partialDate()
        case .recordLabels: recordLabels = try reader.names()
        case .discTitles: discTitles = try reader.discTitles()
        case .starred: starred = try reader.nonEmptyText()
        case .userRating: userRating = try reader.positive()
        case .playCount: playCount = try reader.notNegative()
        case .artist: try reader.skip()
        }
    }
}

/// How artists are read.
extension SubsonicArtist {
    private enum Member: String, CaseIterable {
        case id, name, sortName, musicBrainzId, starred, userRating
    }

    private static let names = MemberNames<Member>()

    /// Reads an artist; nil where there is no object or none with an id.
    init?(_ reader: inout JSONReader) throws(JSONProblem) {
        var artist = SubsonicArtist(id: "")
        try reader.members { (reader, name) throws(JSONProblem) in
            switch Self.names[name] {
            case .id: artist.id = try reader.text() ?? ""
            case .name: artist.name = try reader.nonEmptyText()
            case .sortName: artist.sortName = try reader.nonEmptyText()
            case .musicBrainzId: artist.musicBrainzID = try reader.nonEmptyText()
            case .starred: artist.starred = try reader.nonEmptyText()
            case .userRating: artist.userRating = try reader.positive()
            case nil: try reader.skip()
            }
        }
        if artist.id.isEmpty { return nil }
        self = artist
    }
}

/// How playlists are read.
extension SubsonicPlaylist {
    private enum Member: String, CaseIterable {
        case id, name, owner, `public`, readonly, changed, entry, validUntil
    }

    private static let names = MemberNames<Member>()

    /// Reads a playlist; nil where there is no object or none with an id.
    init?(_ reader: inout JSONReader) throws(JSONProblem) {
        var list = SubsonicPlaylist(id: "")
        try reader.members { (reader, name) throws(JSONProblem) in
            guard let member = Self.names[name] else { return try reader.skip() }
            try list.read(member, &reader)
        }
        if list.id.isEmpty { return nil }
        self = list
    }

    private mutating func read(_ member: Member, _ reader: inout JSONReader) throws(JSONProblem) {
        switch member {
        case .id: id = try reader.text() ?? ""
        case .name: name = try reader.nonEmptyText()
        case .owner: owner = try reader.nonEmptyText()
        case .public: isPublic = try reader.bool() ?? false
        case .readonly: isReadOnly = try reader.bool() ?? false
        case .changed: changed = try reader.nonEmptyText()
        case .validUntil: validUntil = try reader.nonEmptyText()
        case .entry: entryIDs = try Self.entryIDs(&reader)
        }
    }

    private static func entryIDs(_ reader: inout JSONReader) throws(JSONProblem) -> [String] {
        var ids: [String] = []
        try reader.elements { (reader) throws(JSONProblem) in
            try reader.members { (reader, name) throws(JSONProblem) in
                guard Self.names[name] == .id else { return try reader.skip() }
                if let id = try reader.nonEmptyText() { ids.append(id) }
            }
        }
        return ids
    }
}

/// How stations are read.
extension RadioStation {
    private enum Member: String, CaseIterable {
        case id, name, streamUrl, homePageUrl, coverArt
    }

    private static let names = MemberNames<Member>()

    /// Reads a station; nil where there is no object or none with an id and an address.
    init?(_ reader: inout JSONReader) throws(JSONProblem) {
        var station = RadioStation(id: "", name: "", streamURL: "")
        try reader.members { (reader, name) throws(JSONProblem) in
            switch Self.names[name] {
            case .id: station.id = try reader.text() ?? ""
            case .name: station.name = try reader.text() ?? ""
            case .streamUrl: station.streamURL = try reader.text() ?? ""
            case .homePageUrl: station.homePageURL = try reader.nonEmptyText()
            case .coverArt: station.coverArt = try reader.nonEmptyText()
            case nil: try reader.skip()
            }
        }
        if station.id.isEmpty || station.streamURL.isEmpty { return nil }
        self = station
    }
}

/// How the scan status is read.
extension ScanStatus {
    private enum Member: String, CaseIterable {
        case scanning, count, lastScan
    }

    private static let names = MemberNames<Member>()

    /// Reads a status; nil where there is no object.
    init?(_ reader: inout JSONReader) throws(JSONProblem) {
        var status = ScanStatus(isScanning: false)
        let isObject = try reader.members { (reader, name) throws(JSONProblem) in
            switch Self.names[name] {
            case .scanning: status.isScanning = try reader.bool() ?? false
            case .count: status.count = try reader.notNegative()
            case .lastScan: status.lastScan = try reader.nonEmptyText()
            case nil: try reader.skip()
            }
        }
        if !isObject { return nil }
        self = status
    }
}
