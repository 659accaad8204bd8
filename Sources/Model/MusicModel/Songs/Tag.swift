/// A kind of metadata that MPD knows, in MPD's order. The raw values are stored, so that a newer tag has the next free
/// one.
/// - Source: MPD v0.24.13 src/tag/Names.cxx, and `DiscSubtitle` of MPD 0.25. The basic tags come before the MusicBrainz
///   ones, which M.A.L.P. needs.
package enum Tag: UInt8, CaseIterable, Sendable, Hashable {
    case artist, artistSort, album, albumSort, albumArtist, albumArtistSort, title, titleSort, track, name, genre, mood
    case date, originalDate, composer, composerSort, performer, conductor, work, movement, movementNumber
    case showMovement, ensemble, location, grouping, comment, disc
    case discSubtitle = 35
    case label = 27
    case musicBrainzArtistID, musicBrainzAlbumID, musicBrainzAlbumArtistID, musicBrainzTrackID
    case musicBrainzReleaseTrackID, musicBrainzWorkID, musicBrainzReleaseGroupID

    /// The tag's name on the wire, as in `Artist: ...`.
    package var wireName: StaticString { Self.wireNames[Int(rawValue)] }

    private static let wireNames: [StaticString] = [
        "Artist", "ArtistSort", "Album", "AlbumSort", "AlbumArtist", "AlbumArtistSort", "Title", "TitleSort", "Track",
        "Name", "Genre", "Mood", "Date", "OriginalDate", "Composer", "ComposerSort", "Performer", "Conductor", "Work",
        "Movement", "MovementNumber", "ShowMovement", "Ensemble", "Location", "Grouping", "Comment", "Disc", "Label",
        "MUSICBRAINZ_ARTISTID", "MUSICBRAINZ_ALBUMID", "MUSICBRAINZ_ALBUMARTISTID", "MUSICBRAINZ_TRACKID",
        "MUSICBRAINZ_RELEASETRACKID", "MUSICBRAINZ_WORKID", "MUSICBRAINZ_RELEASEGROUPID", "DiscSubtitle",
    ]

    /// The tags that stand in for this one where a song lacks it, nearest first. AlbumArtistSort skips ArtistSort,
    /// whatever the comment in MPD's source says: its code does, and so does a running MPD.
    /// - Source: MPD v0.24.13 src/tag/Fallback.hxx.
    package var fallbacks: [Tag] {
        switch self {
        case .albumArtistSort: [.albumArtist, .artist]
        case .artistSort: [.artist]
        case .albumArtist: [.artist]
        case .albumSort: [.album]
        case .titleSort: [.title]
        case .composerSort: [.composer]
        default: []
        }
    }
}

extension Tag {
    /// The tags that `sort` reads where a song lacks this one; not the same as the fall-backs of filters.
    /// - Source: MPD v0.24.13 src/tag/Tag.cxx `Tag::GetSortValue`.
    package var sortFallbacks: [Tag] {
        switch self {
        case .artistSort, .albumArtist: [.artist]
        case .albumSort: [.album]
        case .albumArtistSort: [.albumArtist, .artist]
        case .musicBrainzAlbumArtistID: [.musicBrainzArtistID]
        default: []
        }
    }
}

/// One value of one tag; a song with two artists has two of these.
package struct TagValue: Hashable, Sendable {
    /// The kind of metadata.
    package var tag: Tag
    /// The text, without line feeds or NUL.
    package var value: String

    /// Pairs a tag with a text.
    package init(_ tag: Tag, _ value: String) { (self.tag, self.value) = (tag, value) }
}

extension [TagValue] {
    /// The most values that one source of a song's tags gives.
    package static let maxValues = 128
    private static let sizeOfValue = 64

    /// Their bytes in memory and in the database, roughly.
    package var size: Int { reduce(0) { $0 + Self.size(of: $1) } }

    private static func size(of value: TagValue) -> Int { value.value.utf8.count + sizeOfValue }

    /// The first 128 of those that together take at most this many bytes; what doesn't fit is passed over.
    package func fitting(bytes limit: Int) -> [TagValue] {
        var (found, left) = ([TagValue](), limit)
        for value in self where found.count < Self.maxValues {
            let size = Self.size(of: value)
            guard size <= left else { continue }
            left -= size
            found.append(value)
        }
        return found
    }
}

/// A set of tags, as a client chooses it with `tagtypes`.
package struct TagMask: OptionSet, Hashable, Sendable {
    /// One bit per `Tag.rawValue`.
    package let rawValue: UInt64

    /// Makes a mask from one bit per `Tag.rawValue`.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Makes a mask of one tag.
    package init(_ tag: Tag) { rawValue = 1 << UInt64(tag.rawValue) }

    /// Every tag there is.
    package static let everything = TagMask(rawValue: (1 << UInt64(Tag.allCases.count)) - 1)

    /// The tags that MPD enables in a fresh installation: everything but `Comment`.
    /// - Source: MPD v0.24.13 src/tag/Settings.cxx.
    package static let standard = everything.subtracting(TagMask(.comment))

    /// True if `tag` is in the set.
    package func contains(_ tag: Tag) -> Bool { rawValue & (1 << UInt64(tag.rawValue)) != 0 }
}
