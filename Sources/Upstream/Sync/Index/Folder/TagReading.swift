package import MusicModel

/// The result of reading a file's tags.
package struct ScannedTags: Hashable, Sendable {
    /// Every tag value, in the order in which clients see them.
    package var tags: [TagValue]
    /// The playing time, if known.
    package var duration: Duration?
    /// The format of the samples, if known.
    package var format: AudioFormat?
    /// Loudness values.
    package var replayGain: ReplayGain
    /// The tracks of a disc that is in the file as a whole.
    package var cueSheet: CueSheet?

    /// Collects what was read.
    package init(
        tags: [TagValue] = [], duration: Duration? = nil, format: AudioFormat? = nil,
        replayGain: ReplayGain = ReplayGain(), cueSheet: CueSheet? = nil
    ) {
        (self.cueSheet, self.tags, self.duration, self.format) = (cueSheet, tags, duration, format)
        self.replayGain = replayGain
    }
}

/// Reads the tags of audio files; the executable wires the audio engine's reader in.
package protocol TagReading: Sendable {
    /// Reads one file.
    /// - Isolation: called on background threads, two at a time; may block.
    /// - Throws: any error for a file that is no music or is broken; it is logged and skipped until it changes.
    ///   `UnreadFile` has it skipped for longer, or tried again.
    func read(path: String) throws -> ScannedTags

    /// Names what reads, with its version: files that took too long are tried again when it is another one.
    var version: String { get }
}

extension TagReading {
    /// The same for readers that don't change.
    package var version: String { "" }
}

/// Thrown for a file of which nothing is known, whatever it is.
package struct UnreadFile: ChainedError {
    /// The reasons for which a file isn't read.
    package enum Obstacle: Sendable {
        /// It hangs what reads it, although the disk answers: the next scan tries it once more, and after that it is
        /// passed over, in later runs as well.
        case tookTooLong
        /// The system doesn't give its bytes, as of another machine's files or without the right to read them: every
        /// scan tries it again.
        case outOfReach
    }

    /// The one that this file met.
    package let obstacle: Obstacle
    /// For a person; doesn't repeat the path.
    package let description: String
    package let origin: ErrorOrigin

    /// Says what keeps a file from being read.
    package init(
        _ obstacle: Obstacle, _ description: String, cause: (any Error)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.obstacle = obstacle
        self.description = description
        origin = ErrorOrigin(cause, file: file, line: line)
    }
}
