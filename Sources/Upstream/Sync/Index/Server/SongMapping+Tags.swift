import MusicModel
import Subsonic

extension SongMapping {
    /// All tags of a song, in the order in which clients see them; `known` is what Navidrome's own API tells, if it
    /// does.
    func tags(of song: SubsonicSong, _ known: NavidromeDetails? = nil) -> [TagValue] {
        let album = song.albumID.flatMap { details.albums[$0] }
        var list = TagList()
        addArtists(song, known, to: &list)
        list.add(.title, song.title)
        list.add(.titleSort, known.map { $0.titleSort } ?? TagText.sortName(song.sortName, of: song.title))
        list.add(.album, song.album)
        list.add(.albumSort, known.map { $0.albumSort } ?? album?.sortName)
        list.add(.track, song.track)
        list.add(.disc, song.discNumber)
        list.add(.discSubtitle, song.discSubtitle ?? song.discNumber.flatMap { album?.discTitles[$0] })
        addDates(song, album, known, to: &list)
        list.add(.genre, song.genres)
        addContributors(song, to: &list)
        list.add(.mood, song.moods)
        list.add(.grouping, song.groupings)
        addWorks(song, to: &list)
        list.add(.label, song.recordLabels.isEmpty ? album?.labels ?? [] : song.recordLabels)
        list.add(.comment, song.comment)
        addMusicBrainzIDs(song, album, known, to: &list)
        return list.values
    }

    private func addArtists(_ song: SubsonicSong, _ known: NavidromeDetails?, to list: inout TagList) {
        list.add(.artist, song.artists.isEmpty ? [song.artist].compactMap { $0 } : song.artists.map(\.name))
        list.add(.artistSort, sortNames(song.artists, first: known.map { $0.artistSort }))
        if song.albumArtists.isEmpty {
            list.add(.albumArtist, song.displayAlbumArtist)
        } else {
            list.add(.albumArtist, song.albumArtists.map(\.name))
        }
        list.add(.albumArtistSort, sortNames(song.albumArtists, first: known.map { $0.albumArtistSort }))
    }

    /// The sort names of artists. `first` is that of the first one as it stands in the song's file; nil where that is
    /// not known.
    private func sortNames(_ artists: [ArtistReference], first: String??) -> [String] {
        guard let first, artists.count < 2 else { return artists.compactMap(sortName) }
        return first.map { [$0] } ?? []
    }

    /// The dates that stand in the file where they are known, else the song's year, made exact by the album's date
    /// where the two agree.
    private func addDates(
        _ song: SubsonicSong, _ album: CatalogDetails.Album?, _ known: NavidromeDetails?, to list: inout TagList
    ) {
        if let known {
            list.add(.date, known.fileDate)
            list.add(.originalDate, known.originalDate)
            return
        }
        let release = song.releaseDate ?? album?.releaseDate
        if let year = song.year, release?.year != year {
            list.add(.date, String(year))
        } else {
            list.add(.date, release?.description)
        }
        list.add(.originalDate, (song.originalReleaseDate ?? album?.originalReleaseDate)?.description)
    }

    private func addContributors(_ song: SubsonicSong, to list: inout TagList) {
        for contributor in song.contributors {
            let artist = contributor.artist
            switch contributor.role {
            case "composer":
                list.add(.composer, artist.name)
                list.add(.composerSort, sortName(artist))
            case "performer":
                list.add(.performer, contributor.subRole.map { "\(artist.name) (\($0))" } ?? artist.name)
            case "conductor": list.add(.conductor, artist.name)
            case "ensemble", "orchestra": list.add(.ensemble, artist.name)
            // MPD has no tags for lyricists, arrangers, producers, ...
            default: break
            }
        }
        if !song.contributors.contains(where: { $0.role == "composer" }) { list.add(.composer, song.displayComposer) }
    }

    private func addWorks(_ song: SubsonicSong, to list: inout TagList) {
        list.add(.work, song.works.map(\.name))
        for movement in song.movements {
            list.add(.movement, movement.name)
            list.add(.movementNumber, movement.number)
        }
    }

    private func addMusicBrainzIDs(
        _ song: SubsonicSong, _ album: CatalogDetails.Album?, _ known: NavidromeDetails?, to list: inout TagList
    ) {
        list.add(.musicBrainzArtistID, song.artists.compactMap(musicBrainzID))
        list.add(.musicBrainzAlbumID, album?.musicBrainzID)
        list.add(.musicBrainzAlbumArtistID, song.albumArtists.compactMap(musicBrainzID))
        list.add(.musicBrainzTrackID, song.musicBrainzID)
        list.add(.musicBrainzReleaseTrackID, known?.releaseTrackID)
        list.add(.musicBrainzReleaseGroupID, known?.releaseGroupID)
        list.add(.musicBrainzWorkID, song.works.compactMap(\.musicBrainzID))
    }

    private func sortName(_ artist: ArtistReference) -> String? {
        TagText.sortName(artist.sortName, of: artist.name) ?? artist.id.flatMap { details.artists[$0]?.sortName }
    }

    private func musicBrainzID(_ artist: ArtistReference) -> String? {
        artist.musicBrainzID ?? artist.id.flatMap { details.artists[$0]?.musicBrainzID }
    }
}

/// Tag values as they are collected; empty ones are left out.
private struct TagList {
    private(set) var values: [TagValue] = []

    init() { values.reserveCapacity(16) }

    mutating func add(_ tag: Tag, _ text: String?) {
        guard let text = TagText.clean(text) else { return }
        values.append(TagValue(tag, text))
    }

    mutating func add(_ tag: Tag, _ texts: [String]) {
        for text in texts { add(tag, text) }
    }

    mutating func add(_ tag: Tag, _ number: Int?) {
        guard let number, number > 0 else { return }
        values.append(TagValue(tag, String(number)))
    }
}
