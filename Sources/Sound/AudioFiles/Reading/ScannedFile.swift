package import MusicModel

/// A file of the local folder by its own tags and header.
package struct ScannedFile: Hashable, Sendable {
    /// Every tag value, grouped in the order of `Tag`, the values of one tag in the file's order.
    package var tags: [TagValue]
    /// The playing time, if it could be found out.
    package var duration: Duration?
    /// The format of the samples.
    package var format: AudioFormat?
    /// Loudness values.
    package var replayGain: ReplayGain
    /// True if a picture is embedded.
    package var hasEmbeddedPicture: Bool
    /// The tracks of a disc that is in the file as a whole.
    package var cueSheet: CueSheet?

    /// Collects what was found.
    package init(
        tags: [TagValue] = [], duration: Duration? = nil, format: AudioFormat? = nil,
        replayGain: ReplayGain = ReplayGain(), hasEmbeddedPicture: Bool = false, cueSheet: CueSheet? = nil
    ) {
        (self.cueSheet, self.tags, self.duration, self.format) = (cueSheet, tags, duration, format)
        (self.replayGain, self.hasEmbeddedPicture) = (replayGain, hasEmbeddedPicture)
    }
}

/// Why a file can't be read.
package struct AudioFileError: ChainedError {
    /// True if another try may come to another end.
    package enum Kind: Sendable {
        case unusable
        /// Reading it came to no end, although the disk gave its bytes in time.
        case hanging
        /// The system doesn't give its bytes now.
        case outOfReach
    }

    /// For a person; doesn't repeat the path.
    package var message: String
    /// Why this one can't be read.
    package let kind: Kind
    package let origin: ErrorOrigin

    /// Says what is wrong with a file.
    package init(
        message: String, kind: Kind = .unusable, cause: (any Error)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        (self.message, self.kind) = (message, kind)
        origin = ErrorOrigin(cause, file: file, line: line)
    }

    /// The message.
    package var description: String { message }
}
