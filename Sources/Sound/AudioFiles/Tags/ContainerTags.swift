import CSound
import MusicModel

/// Tags of files in which the sound lies in chunks, as far as demuxers leave them out. GStreamer 1.22 passes over ID3
/// in WAV files. Of that in DSF and DSDIFF FFmpeg's takes one value each, no pictures, and conductors for performers.
enum ContainerTags {
    /// AIFF's own chunks of text.
    private static let texts = [("NAME", "title"), ("AUTH", "artist"), ("ANNO", "comment")]

    /// Takes what such a file's ID3 tag says into a list of tags, in place of what that has of the same kinds, and the
    /// file's own texts where they are missing.
    /// - Isolation: blocks for the reading of the tag with its pictures.
    static func add(to tags: UnsafeMutablePointer<GstTagList>, from source: HeaderBytes) {
        if let place = ID3Frames.place(in: source) { take(source, place, into: tags) }
        if source.name(at: 0) == "FRM8", let header = try? DSDHeader.read(source) {
            if let title = header.title { segue_tags_add_missing(tags, "title", title) }
            if let artist = header.artist { segue_tags_add_missing(tags, "artist", artist) }
        }
        guard let chunks = SoundChunks(source) else { return }
        // FFmpeg writes the number there.
        let part = chunks.information("IPRT")?.prefix { ("0"..."9").contains($0) }
        if let number = part.flatMap({ UInt32($0) }), number > 0 { segue_tags_add_track(tags, number) }
        for (name, tag) in texts {
            if let text = chunks.text(name, charset: AudioFileReader.legacyCharset) {
                segue_tags_add_missing(tags, tag, text)
            }
        }
    }

    private static func take(
        _ source: HeaderBytes, _ range: Range<Int64>, into tags: UnsafeMutablePointer<GstTagList>
    ) {
        let size = min(source.sizeOfTag(at: range.lowerBound) ?? 0, Int64(range.count))
        guard size > 10, size <= ID3Frames.maxTagSize else { return }
        var bytes = source.bytes(at: range.lowerBound, count: Int(size))
        if let patch = ID3Bounds.patch(ofTagAt: range.lowerBound, in: source) {
            for (index, byte) in zip(Int(patch.offset - range.lowerBound)..., patch.bytes) where index < bytes.count {
                bytes[index] = byte
            }
        }
        let isDSD = ["DSD ", "FRM8"].contains(source.name(at: 0))
        _ = segue_tags_take_id3(tags, bytes, gsize(bytes.count), isDSD ? 1 : 0)
    }
}
