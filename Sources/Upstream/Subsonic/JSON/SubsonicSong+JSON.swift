/// How songs are read.
extension SubsonicSong {
    private enum Member: String, CaseIterable {
        case id, title, sortName, artist, artists, albumArtists, displayAlbumArtist, album
        case albumId, track, discNumber, discSubtitle, year, releaseDate, originalReleaseDate, genre, genres
        case contributors, displayComposer, moods, groupings, works, movements, recordLabels, comment, musicBrainzId
        case replayGain, samplingRate, bitDepth, channelCount, bitRate, duration, size, suffix
        case path, created, coverArt, starred, userRating, playCount, played
    }

    private static let names = MemberNames<Member>()

    /// Reads a song; nil where there is no object or none with an id.
    init?(_ reader: inout JSONReader) throws(JSONProblem) {
        var song = SubsonicSong(id: "")
        var genre: String?
        try reader.members { (reader, name) throws(JSONProblem) in
            guard let member = Self.names[name] else { return try reader.skip() }
            if member == .genre {
                genre = try reader.nonEmptyText()
            } else if try !song.readText(member, &reader), try !song.readNumber(member, &reader) {
                try song.readList(member, &reader)
            }
        }
        if song.id.isEmpty { return nil }
        if song.genres.isEmpty, let genre { song.genres = [genre] }
        self = song
    }

    private mutating func readText(_ member: Member, _ reader: inout JSONReader) throws(JSONProblem) -> Bool {
        switch member {
        case .id: id = try reader.text() ?? ""
        case .title: title = try reader.nonEmptyText()
        case .sortName: sortName = try reader.nonEmptyText()
        case .artist: artist = try reader.nonEmptyText()
        case .displayAlbumArtist: displayAlbumArtist = try reader.nonEmptyText()
        case .album: album = try reader.nonEmptyText()
        case .albumId: albumID = try reader.nonEmptyText()
        case .discSubtitle: discSubtitle = try reader.nonEmptyText()
        case .displayComposer: displayComposer = try reader.nonEmptyText()
        case .comment: comment = try reader.nonEmptyText()
        case .musicBrainzId: musicBrainzID = try reader.nonEmptyText()
        case .suffix: suffix = try reader.nonEmptyText()
        case .path: path = try reader.nonEmptyText()
        case .created: created = try reader.nonEmptyText()
        case .coverArt: coverArt = try reader.nonEmptyText()
        case .starred: starred = try reader.nonEmptyText()
        case .played: played = try reader.nonEmptyText()
        default: return false
        }
        return true
    }

    private mutating func readNumber(_ member: Member, _ reader: inout JSONReader) throws(JSONProblem) -> Bool {
        switch member {
        case .track: track = try reader.positive()
        case .discNumber: discNumber = try reader.positive()
        case .year: year = try reader.positive()
        case .samplingRate: samplingRate = try reader.positive()
        case .bitDepth: bitDepth = try reader.positive()
        case .channelCount: channelCount = try reader.positive()
        case .bitRate: bitRate = try reader.positive()
        case .duration: duration = try reader.notNegative()
        case .size: size = try reader.integer().flatMap { $0 < 0 ? nil : $0 }
        case .userRating: userRating = try reader.positive()
        case .playCount: playCount = try reader.notNegative()
        default: return false
        }
        return true
    }

    private mutating func readList(_ member: Member, _ reader: inout JSONReader) throws(JSONProblem) {
        switch member {
        case .artists: artists = try reader.artistReferences()
        case .albumArtists: albumArtists = try reader.artistReferences()
        case .genres: genres = try reader.names()
        case .moods: moods = try reader.names()
        case .groupings: groupings = try reader.names()
        case .recordLabels: recordLabels = try reader.names()
        case .works: works = try reader.works()
        case .movements: movements = try reader.movements()
        case .contributors: contributors = try reader.contributors()
        case .replayGain: replayGain = try reader.replayGain()
        case .releaseDate: releaseDate = try reader.partialDate()
        case .originalReleaseDate: originalReleaseDate = try reader.partialDate()
        default: try reader.skip()
        }
    }
}
