package import MPDProtocol
package import MusicModel
package import Playback
package import ServerLoop

/// Tells right passwords from wrong ones.
@ServerActor
package protocol PasswordChecking: AnyObject {
    /// The permissions that a password brings, and the digest of its entry; nil when it is wrong, which takes a while.
    func grant(for password: String, from peer: PeerAddress) async throws -> (permission: Permission, entry: String)?
}

/// A cover: its bytes, its MIME type, and the file of this machine that holds it, by its absolute path.
package typealias FoundCover = (bytes: [UInt8], mimeType: String?, file: String?)

/// Fetches pictures of songs and albums for `albumart` and `readpicture`.
package protocol PictureProviding: AnyObject, Sendable {
    /// The cover of the folder of `uri` (a song or a directory); nil when there is none.
    @concurrent func albumArt(for uri: String) async throws -> FoundCover?
    /// The cover file in a folder of this machine, by its absolute path; nil when there is none.
    @concurrent func cover(inFolder path: String) async throws -> FoundCover?
    /// The picture of the song itself; nil when there is none.
    @concurrent func picture(of uri: String) async throws -> (bytes: [UInt8], mimeType: String?)?
}

/// Reads songs that lie outside of the library, for clients of this machine.
package protocol OutsideSongReading: AnyObject, Sendable {
    /// The song in a file, by its absolute path, for the client's user; throws `AckError` 52 where there is no file, 50
    /// for one without sound, 4 where the user may not read it.
    @concurrent func song(file path: String, for user: UInt32?) async throws -> Song
    /// The picture in such a file, as `song`; nil when it has none.
    @concurrent func picture(file path: String, for user: UInt32?) async throws -> (bytes: [UInt8], mimeType: String?)?
    /// Checks whether a user may read a file or a folder, whatever is in it.
    @concurrent func allow(path: String, for user: UInt32?) async throws
    /// The cue sheet within a music file that the client may read, by its absolute path; nil where there is none.
    @concurrent func cueSheet(file path: String) async throws -> CueSheet?
}

/// Reads audio CDs for clients that name a drive or a track.
package protocol DiscReading: AnyObject, Sendable {
    /// The tracks of the disc in a drive, in order; throws `AckError` 50 where it can't be read.
    @concurrent func tracks(device: String) async throws -> [Song]
}

/// Fetches the lyrics for `readlyrics` and `readcomments`.
package protocol LyricsProviding: AnyObject, Sendable {
    /// The words of the song at a path, if they can be had now; who is urgent doesn't wait for words that are far away.
    @concurrent func lyrics(of uri: String, isUrgent: Bool) async -> Lyrics?
}

/// Tells for `readcomments` what the index does not keep of a song's file.
package protocol CommentsProviding: Sendable {
    /// Names as taggers write them, with their values, each fit for a line; none where they can't be had soon.
    @concurrent func comments(of song: SongID) async -> [(name: String, value: String)]
}

/// Computes acoustic fingerprints; implemented in the program.
package protocol Fingerprinting: AnyObject, Sendable {
    /// The Chromaprint fingerprint of a song; throws `AckError` or `TrackError` where it can't be fetched or decoded.
    func fingerprint(of song: SongID) async throws -> String
}

/// Takes what clients send to a channel that is the server's own.
@ServerActor
package protocol ChannelTaking: AnyObject {
    /// The channel's name.
    var name: String { get }
    /// True if `channels` lists it for a partition although no client is subscribed.
    func isListed(in partition: Partition) -> Bool
    /// Takes a message of a partition's client where it is meant for it; answers are sent to the subscribers later.
    func take(_ text: String, on channel: String, in partition: Partition) -> Bool
    /// A partition's client has loaded a stored playlist.
    func loaded(_ playlist: String, in partition: Partition)
}

/// Knows the queue that another client of the server saved there, which is a stored playlist here.
package protocol OtherQueueProviding: Sendable {
    /// The playlist's name.
    var playlistName: String { get }
    /// Asks the server for the queue now, and where in the playlist it is; nil if it doesn't answer soon.
    func place() async -> (index: Int, elapsed: Duration)?
}

/// Reads what isn't in the index: playlists of the music folder and of web servers, and the music folder's listings.
package protocol OutsideFiles: AnyObject, Sendable {
    /// The bytes of a playlist by its absolute path; nil without one. Links lead no file `ofLibrary` out of its folder.
    func playlist(file path: String, ofLibrary: Bool) async throws -> [UInt8]?
    /// A playlist of a web server; nil where there is none. `limit` is the most bytes of one that has this type and
    /// stands at this URL after all redirections, nil for what is none. Errors never have a part of the URL.
    func playlist(
        url: String, limit: @escaping @Sendable (_ mimeType: String?, _ url: String) -> Int?
    ) async throws -> RemotePlaylist?
    /// Tells that a playlist of this machine names files that were found nowhere.
    func note(missing: [String], of playlist: String)
    /// The contents of a folder by its absolute path, in the order of the names; nil where there is no such folder.
    func contents(folder path: String) async throws -> [FolderEntry]?
}

/// A web server's playlist, with the type that it announces, and where it stands after all redirections.
package typealias RemotePlaylist = (bytes: [UInt8], mimeType: String?, url: String)

/// A file, or without a size in bytes a folder: the last part of its path, and when it changed, in Unix seconds.
package typealias FolderEntry = (name: String, size: Int64?, modified: Int64)
