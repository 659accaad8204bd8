public import MusicModel

/// What a file of the local folder says about itself.
public struct ScannedFile: Hashable, Sendable {
    /// Every tag value, grouped in the order of `Tag`, the values of one tag in the file's order.
    public var tags: [TagValue]
    /// The playing time, if it could be found out.
    public var duration: Duration?
    /// The format of the samples.
    public var format: AudioFormat?
    /// Loudness values.
    public var replayGain: ReplayGain
    /// Whether a picture is embedded.
    public var hasEmbeddedPicture: Bool
    /// The tracks of a disc that is in the file as a whole.
    public var cueSheet: CueSheet?

    /// Collects what was found.
    public init(
        tags: [TagValue] = [], duration: Duration? = nil, format: AudioFormat? = nil,
        replayGain: ReplayGain = ReplayGain(),
        hasEmbeddedPicture: Bool = false, cueSheet: CueSheet? = nil
    ) {
        self.cueSheet = cueSheet
        self.tags = tags
        self.duration = duration
        self.format = format
        self.replayGain = replayGain
        self.hasEmbeddedPicture = hasEmbeddedPicture
    }
}

/// Why a file can't be read.
public struct AudioFileError: Error, Sendable, CustomStringConvertible {
    /// For a person; doesn't repeat the path.
    public var message: String

    /// Says what is wrong with a file.
    package init(message: String) { self.message = message }

    /// The message.
    public var description: String { message }
}
