package import LibraryIndex
import MusicModel
package import Subsonic
package import UserLibrary

extension ServerSongMarks {
    /// The marks that the server's user gave a song.
    package init(_ song: SubsonicSong) {
        self.init(
            serverID: song.id, starred: song.starred.map { max(1, TimeText.milliseconds($0) ?? 1) } ?? 0,
            rating: min(song.userRating ?? 0, 5), plays: song.playCount ?? 0,
            played: song.played.flatMap(TimeText.seconds) ?? 0)
    }
}

extension ServerItemMarks {
    /// The marks that the server has of an album; the names are those of the songs' tags.
    package init(_ album: SubsonicAlbum) {
        let artist = album.artists.lazy.compactMap { TagText.clean($0.name) }.first
        self.init(
            serverID: album.id, name: TagText.clean(album.name) ?? "",
            artist: artist ?? TagText.clean(album.displayArtist),
            starred: album.starred.map { max(1, TimeText.milliseconds($0) ?? 1) } ?? 0,
            rating: min(album.userRating ?? 0, 5))
    }

    /// The marks that the server's user gave an artist.
    package init(_ artist: SubsonicArtist) {
        self.init(
            serverID: artist.id, name: TagText.clean(artist.name) ?? "",
            starred: artist.starred.map { max(1, TimeText.milliseconds($0) ?? 1) } ?? 0,
            rating: min(artist.userRating ?? 0, 5))
    }
}
