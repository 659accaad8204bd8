/// A part of the server that is fed with arbitrary bytes.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// A line: words, quotes, and the arguments of every command.
    case tokenizer
    /// A filter expression: parsed, printed, parsed again, and applied.
    case filter
    /// What a client sends, to the whole server.
    case session
    /// What an audio file says of its own ends: MP3, MP4 and DSF.
    case audioHeader
    /// An audio file, read with the real decoders.
    case audioFile
    /// A picture's header: its size, what it takes to decode it, and the parts that a decoder may see.
    case picture
    /// What tags and cue sheets say.
    case tags
    /// What a Snapcast server sends.
    case snapcast
    /// What an HTTP listener sends.
    case listener
    /// What a browser or a script sends.
    case request
    /// A title between the bytes of a stream.
    case streamTitle
    /// A playlist in each of the formats, as a web server sends it.
    case playlist
    /// An answer of a Subsonic server, read as that of each call.
    case subsonic
    /// A configuration file.
    case configuration
    /// A file that an MPD left behind: its settings, state, database, playlists or stickers.
    case mpdFiles
    /// An answer of a Lidarr, read as that of each call.
    case lidarr
    /// What a prompt server answers to a wish.
    case wishes

    /// Feeds `bytes` and returns when nothing of them is left at work.
    ///
    /// - Throws: `FuzzFinding` when something that always holds didn't; the worst of findings is a crash.
    package func run(_ bytes: [UInt8]) async throws {
        switch self {
        case .tokenizer: try TokenizerFuzz.run(bytes)
        case .filter: try FilterFuzz.run(bytes)
        case .session: try await SessionFuzz.run(bytes)
        default: _ = try runAtOnce(bytes)
        }
    }

    /// Feeds `bytes` where the target needs no waiting; false where it does.
    package func runAtOnce(_ bytes: [UInt8]) throws -> Bool {
        switch self {
        case .tokenizer: try TokenizerFuzz.run(bytes)
        case .filter: try FilterFuzz.run(bytes)
        case .audioHeader: try AudioHeaderFuzz.run(bytes)
        case .audioFile: try AudioFileFuzz.run(bytes)
        case .picture: try PictureFuzz.run(bytes)
        case .tags: try TagsFuzz.run(bytes)
        case .snapcast: try SnapcastFuzz.run(bytes)
        case .listener: try ListenerFuzz.run(bytes)
        case .request: try RequestFuzz.run(bytes)
        case .streamTitle: try StreamTitleFuzz.run(bytes)
        case .session: return false
        case .playlist: try PlaylistFuzz.run(bytes)
        case .subsonic: AnswerReading.readEverything(bytes)
        case .configuration: try ConfigurationFuzz.run(bytes)
        case .mpdFiles: try MPDFilesFuzz.run(bytes)
        case .lidarr: try LidarrFuzz.run(bytes)
        case .wishes: try WishFuzz.run(bytes)
        }
        return true
    }
}

/// Something that always holds did not hold for an input.
package struct FuzzFinding: Error, CustomStringConvertible {
    /// What was seen and what was expected.
    package let description: String

    init(_ description: String) { self.description = description }
}
