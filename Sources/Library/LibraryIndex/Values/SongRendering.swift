package import MusicModel

/// Turns songs into the text of the protocol, so that the index can store it ready to send.
///
/// Declared here because the index must not know the protocol; implemented by `MPDProtocol` and wired in the
/// executable.
package protocol SongRendering: Sendable {
    /// Moves when the text changes its form; stored blocks of another version are rendered anew.
    var version: Int { get }
    /// The whole block of a song with the tags of `mask`: `file: ...` to `duration: ...`, every line with its line
    /// feed.
    func render(_ song: Song, mask: TagMask) -> [UInt8]
}

/// Rendered blocks of several songs in one buffer.
package struct RenderedSongs: Sendable {
    /// All blocks, one after the other.
    package var bytes: [UInt8]
    /// Where each block ends in `bytes`; a song that is gone has the same end as the one before it.
    package var ends: [Int]

    /// Collects blocks with their ends.
    package init(bytes: [UInt8] = [], ends: [Int] = []) {
        self.bytes = bytes
        self.ends = ends
    }
}
