import MusicModel

/// How much of an ID3 tag GStreamer gets to see. Its parser takes a time that grows with the square of how many frames
/// or texts of a kind there are, and neither the discoverer nor a deck that is stopped can call it off: a tag of some
/// hundred KB would hold them up for minutes.
enum ID3Bounds {
    static let maxFrames = 4096
    /// Texts in all frames of one name.
    private static let maxTexts = 256
    private static let maxTextSize = 1 << 20
    /// In bytes: a genre may be made of many numbers in brackets.
    private static let maxGenreLength = 4096

    /// The patches that hide the parts of a file's tags that are too much.
    /// - Parameter isComplete: whether tags behind the sound can be read without waiting for them.
    /// - Isolation: blocks for small reads, and waits for what is still to arrive of tags before the sound.
    static func patches(in source: HeaderBytes, isComplete: Bool) -> [BytePatch] {
        let (starts, place) = source.tagsBefore
        var patches = starts.compactMap { patch(ofTagAt: $0, in: source) }
        if source.sizeOfTag(at: place) != nil { patches.append(BytePatch(offset: place, bytes: [0])) }
        if isComplete, place == 0, let inside = ID3Frames.place(in: source)?.lowerBound, inside > 0,
            let patch = patch(ofTagAt: inside, in: source)
        {
            patches.append(patch)
        }
        return patches
    }

    /// The patch that ends a tag before its first frame that is too much, or makes all of it one of an unknown version;
    /// nil for a tag that may be read as a whole.
    static func patch(ofTagAt place: Int64, in source: HeaderBytes) -> BytePatch? {
        guard source.sizeOfTag(at: place) != nil, let version = source.number(at: place + 3, count: 1), version <= 4
        else { return nil }
        let unknown = BytePatch(offset: place + 3, bytes: [0x7F])
        guard let frames = ID3Frames(source, at: place) else { return unknown }
        guard let excess = firstExcess(in: frames) else { return nil }
        // A frame without a name ends a tag.
        return frames.isScrambled ? unknown : BytePatch(offset: excess, bytes: [0, 0, 0, 0])
    }

    private static func firstExcess(in frames: ID3Frames) -> Int64? {
        var texts: [String: Int] = [:]
        for (count, frame) in frames.enumerated() {
            if count == maxFrames { return frame.start }
            guard frame.name.hasPrefix("T") else { continue }
            let isGenre = frame.name == "TCON" || frame.name == "TCO"
            guard frames.isPlain(frame), frame.body.count <= (isGenre ? maxGenreLength : maxTextSize)
            else { return frame.start }
            texts[frame.name, default: 0] += max(
                numberOfTexts(frames.stored(frame)), numberOfTexts(frames.meant(frame)))
            if texts[frame.name, default: 0] > maxTexts { return frame.start }
        }
        return nil
    }

    private static func numberOfTexts(_ bytes: [UInt8]) -> Int {
        guard let encoding = bytes.first else { return 1 }
        guard encoding == 1 || encoding == 2 else { return 1 + bytes.dropFirst().count { $0 == 0 } }
        return 1 + stride(from: 1, to: bytes.count - 1, by: 2).count { bytes[$0] == 0 && bytes[$0 + 1] == 0 }
    }
}
