import AudioFiles
import Coordination
import MusicModel

/// The sound that a device was given and has not played, so that it can be given again.
struct UnplayedSound {
    private var blocks: [SampleBlock] = []
    private var playedTo: Nanoseconds?

    /// True if the device has played all that it got.
    var isEmpty: Bool { blocks.isEmpty }

    /// Notes sound that the device got.
    mutating func note(_ block: SampleBlock) {
        blocks.append(block)
        // Sound that is never reported as played is no longer wanted either.
        if blocks.count > Self.limit { blocks.removeFirst(blocks.count - Self.limit) }
    }

    /// Blocks of 40 ms: more than any device takes ahead.
    private static let limit = 256

    /// Forgets what was played.
    mutating func forget(before place: Nanoseconds?) {
        guard let place else { return }
        playedTo = place
        blocks.removeAll { $0.end <= place }
    }

    /// Forgets everything: what was not played is not wanted any more.
    mutating func forget() { (blocks, playedTo) = ([], nil) }

    /// Takes what was not played, to the exact frame.
    mutating func take() -> [SampleBlock] {
        defer { forget() }
        guard let playedTo, var first = blocks.first, first.start < playedTo else { return blocks }
        let frames = min(first.frames, first.layout.frames(in: playedTo - first.start))
        guard frames < first.frames else { return Array(blocks.dropFirst()) }
        first.keep((frames * first.layout.channels)..<first.samples.count)
        (first.start, first.duration) = (playedTo, first.end - playedTo)
        return [first] + blocks.dropFirst()
    }
}
