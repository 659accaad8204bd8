/// Words in a file's ID3 tag, which GStreamer 1.22 does not read (frame `USLT`).
enum UnsyncedLyrics {
    /// The words of the first such frame; nil where there is none.
    ///
    /// - Isolation: blocks for the reading of the tag.
    static func read(path: String) -> String? {
        ID3Tag(path: path, frames: ["USLT"])?.frames.lazy.compactMap(\.lyrics).first
    }
}
