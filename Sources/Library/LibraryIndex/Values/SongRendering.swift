public import MusicModel

/// Turns songs into the text of the protocol, so that the index can store it ready to send.
///
/// Declared here because the index must not know the protocol; implemented by `MPDProtocol` and wired in the
/// executable.
public protocol SongRendering: Sendable {
    /// Moves when the text changes its form; stored blocks of another version are rendered anew.
    var version: Int { get }
    /// The whole block of a song with the tags of `mask`: `file: ...` to `duration: ...`, every line with its line
    /// feed.
    func render(_ song: Song, mask: TagMask) -> [UInt8]
}

/// Rendered blocks of several songs in one buffer.
public struct RenderedSongs: Sendable {
    /// All blocks, one after the other.
    public var bytes: [UInt8]
    /// Where each block ends in `bytes`; a song that is gone has the same end as the one before it.
    public var ends: [Int]

    /// Collects blocks with their ends.
    public init(bytes: [UInt8] = [], ends: [Int] = []) {
        self.bytes = bytes
        self.ends = ends
    }
}
