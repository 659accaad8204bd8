package import MPDProtocol
package import MusicModel
package import Playback
package import ServerLoop

/// Tells right passwords from wrong ones.
@ServerActor
package protocol PasswordChecking: AnyObject {
    /// The permissions that a password brings, and the digest of its entry; nil when it is wrong.
    ///
    /// The answer to a wrong one takes its time, so that few can be tried.
    /// - Throws: `AckError` when too many are being checked, `CancellationError`.
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
    /// The song in a file, by its absolute path.
    ///
    /// - Parameter user: the client's user, who must be allowed to read the file; nil where the system didn't tell.
    /// - Throws: `AckError` 52 where there is no file, 50 for one without sound, 4 where the user may not read it.
    @concurrent func song(file path: String, for user: UInt32?) async throws -> Song
    /// The picture in such a file; nil when it has none.
    ///
    /// - Throws: as `song`.
    @concurrent func picture(file path: String, for user: UInt32?) async throws -> (bytes: [UInt8], mimeType: String?)?
    /// Checks whether a user may read a file or a folder.
    ///
    /// - Throws: as `song`, and nothing about its contents.
    @concurrent func allow(path: String, for user: UInt32?) async throws
    /// The cue sheet within a music file that the client may read, by its absolute path; nil where there is none.
    @concurrent func cueSheet(file path: String) async throws -> CueSheet?
}

/// Reads audio CDs for clients that name a drive or a track.
package protocol DiscReading: AnyObject, Sendable {
    /// The tracks of the disc in a drive, in order, each with its address and its length.
    ///
    /// - Throws: `AckError` 50 where there is no disc, or it can't be read.
    @concurrent func tracks(device: String) async throws -> [Song]
}

/// Fetches the lyrics for `readlyrics` and `readcomments`.
package protocol LyricsProviding: AnyObject, Sendable {
    /// The words of the song at a path; nil when there are none, or none that can be had now.
    ///
    /// - Parameter isUrgent: whether the caller has more to tell, which must not wait for words that are far away.
    /// - Isolation: the global executor.
    @concurrent func lyrics(of uri: String, isUrgent: Bool) async -> Lyrics?
}

/// Tells for `readcomments` what the index does not keep of a song's file.
package protocol CommentsProviding: Sendable {
    /// Names as taggers write them, with their values, each fit for a line; none where they can't be had soon.
    @concurrent func comments(of song: SongID) async -> [(name: String, value: String)]
}

/// Computes acoustic fingerprints; implemented in the program.
package protocol Fingerprinting: AnyObject, Sendable {
    /// The Chromaprint fingerprint of a song.
    ///
    /// - Throws: `AckError` or `TrackError` for a song that can't be fetched or decoded; `CancellationError` soon after
    ///   the task was cancelled.
    func fingerprint(of song: SongID) async throws -> String
}

/// Takes what clients send to a channel that is the server's own.
@ServerActor
package protocol ChannelTaking: AnyObject {
    /// The channel's name.
    var name: String { get }
    /// Whether `channels` lists it for a partition although no client is subscribed.
    func isListed(in partition: Partition) -> Bool
    /// Takes a message of a partition's client where it is meant for it; what there is to answer is sent to the
    /// subscribers later.
    ///
    /// - Returns: whether it was.
    func take(_ text: String, on channel: String, in partition: Partition) -> Bool
    /// Takes in that a partition's client loaded a stored playlist.
    func loaded(_ playlist: String, in partition: Partition)
}

extension PictureProviding {
    /// No cover, for providers that know no folders of this machine.
    @concurrent
    package func cover(inFolder path: String) async throws -> FoundCover? { nil }
}
