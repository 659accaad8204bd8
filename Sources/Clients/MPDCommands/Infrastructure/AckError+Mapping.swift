import Coordination
package import LibraryIndex
package import MPDProtocol
package import Playback

extension AckError {
    /// The ACK that tells a client of `error`; what is not meant for clients gets a neutral text.
    package static func mapping(_ error: any Error) -> AckError {
        switch error {
        case let error as AckError: error
        case let error as PlayerError: AckError(error)
        case let error as LibraryError: AckError(error)
        case let error as MemoryShortage: AckError(.system, error.description)
        case let error as TrackError: AckError(.system, error.message)
        default: AckError(.system, "Internal error")
        }
    }

    /// Names the disk, where an edit was refused because that is full.
    package static func fullDisk(_ error: any Error) -> String? {
        guard let error = error as? LibraryError, error.code == .diskFull else { return nil }
        return error.message
    }

    /// A player's refusal in MPD's words.
    package init(_ error: PlayerError) {
        switch error.code {
        case .badRange: self.init(.argument, "Bad song index")
        case .noSuchSong: self.init(.noExist, "No such song")
        case .notPlaying: self.init(.playerSync, "Not playing")
        case .notSeekable: self.init(.unknown, "Not seekable")
        case .isCurrent: self.init(.permission, "Cannot edit the current song")
        case .badOffset: self.init(.argument, "Invalid start offset")
        case .queueFull: self.init(.playlistMax, "Playlist is too large")
        }
    }

    /// The index's refusal in MPD's words where MPD has some.
    package init(_ error: LibraryError) {
        switch error.code {
        case .noSuchDirectory: self.init(.noExist, "No such directory")
        case .noSuchSong: self.init(.noExist, "No such song")
        case .noSuchPlaylist: self.init(.noExist, "No such playlist")
        case .playlistExists: self.init(.exist, "Playlist already exists")
        case .badPlaylistName: self.init(.argument, "Bad playlist name")
        // Not code 4, on which clients ask for a password.
        case .playlistReadOnly: self.init(.system, error.message)
        case .playlistTooLarge: self.init(.playlistMax, "Stored playlist is too large")
        case .badPosition, .badExpression, .answerTooLarge: self.init(.argument, error.message)
        case .noSuchSticker: self.init(.noExist, "no such sticker")
        // Only the user can help, who may see nothing but the client.
        case .diskFull: self.init(.system, error.message)
        // These messages are for the server's administrator, and name files.
        case .busy, .corrupt, .unwritable, .otherVersion: self.init(.system, "The database can't be used")
        }
    }
}
