import MusicModel

/// How much of an ID3 tag GStreamer gets to see.
///
/// Its parser takes a time that grows with the square of how many frames or texts of a kind there are, and neither the
/// discoverer nor a deck that is stopped can call it off: a tag of some hundred KB would hold them up for minutes.
///
/// - Source: ID3 tag version 2.2.0, 2.3.0 and 2.4.0, main structure; where they leave things open, or tags break them,
///   as GStreamer 1.22's `gst_tag_list_from_id3v2_tag` goes through frames.
enum ID3Bounds {
    static let maxTagSize = 32 << 20
    static let maxFrames = 4096
    /// Texts in all frames of one name.
    private static let maxTexts = 256
    /// In bytes: a genre may be made of many numbers in brackets.
    private static let maxGenreLength = 4096
    /// Tags one behind another.
    private static let maxTags = 8

    /// The patches that hide the parts of a file's tags that are too much.
    ///
    /// - Parameter isComplete: whether tags behind the sound can be read without waiting for them.
    /// - Isolation: blocks for small reads, and waits for what is still to arrive of tags before the sound.
    static func patches(in source: HeaderBytes, isComplete: Bool) -> [BytePatch] {
        var patches: [BytePatch] = []
        var place: Int64 = 0
        for _ in 0..<maxTags {
            guard let size = source.sizeOfTag(at: place) else { break }
            if let patch = patch(ofTagAt: place, in: source) { patches.append(patch) }
            place += size
        }
        if source.sizeOfTag(at: place) != nil { patches.append(BytePatch(offset: place, bytes: [0])) }
        if isComplete, place == 0, let inside = ID3Place.find(in: source)?.lowerBound, inside > 0,
            let patch = patch(ofTagAt: inside, in: source)
        {
            patches.append(patch)
        }
        return patches
    }

    /// The patch that ends a tag before its first frame that is too much, or makes all of it one of an unknown version;
    /// nil for a tag that may be read as a whole.
    static func patch(ofTagAt place: Int64, in source: HeaderBytes) -> BytePatch? {
        let head = source.bytes(at: place, count: 10)
        guard head.count == 10, let whole = source.sizeOfTag(at: place), head[3] <= 4 else { return nil }
        let unknown = BytePatch(offset: place + 3, bytes: [0x7F])
        let size = whole - 10 - (head[5] & 0x10 != 0 ? 10 : 0)
        guard size <= maxTagSize else { return unknown }
        var frames = Frames(source: source, version: head[3], flags: head[5], place: place + 10, end: place + 10 + size)
        guard head[5] & 0x80 != 0, head[3] < 4 else {
            // A frame without a name ends a tag.
            return frames.firstExcess().map { BytePatch(offset: $0, bytes: [0, 0, 0, 0]) }
        }
        // Older versions scramble the frames' heads, too, so that positions in the tag are not those in the file.
        let plain = ID3Tag.withoutUnsynchronisation(source.bytes(at: place + 10, count: Int(size)))
        frames = Frames(
            source: HeaderBytes(plain), version: head[3], flags: head[5], place: 0, end: Int64(plain.count))
        return frames.firstExcess().map { _ in unknown }
    }

    /// Goes through the frames of a tag.
    private struct Frames {
        let source: HeaderBytes
        let version: UInt8
        let flags: UInt8
        var place: Int64
        let end: Int64
        private var texts: [String: Int] = [:]

        init(source: HeaderBytes, version: UInt8, flags: UInt8, place: Int64, end: Int64) {
            (self.source, self.version, self.flags, self.place, self.end) = (source, version, flags, place, end)
        }

        private var headSize: Int { version < 3 ? 6 : 10 }

        /// Where the first frame begins that is one too many, or that has too many texts.
        mutating func firstExcess() -> Int64? {
            if flags & 0x40 != 0 {
                let size = number(source.bytes(at: place, count: 4), isSafe: true) + (version < 4 ? 4 : 0)
                guard size >= 6, size <= end - place else { return nil }
                place += size
            }
            var count = 0
            while end - place > Int64(headSize) {
                let head = source.bytes(at: place, count: headSize)
                guard head.count == headSize, head[0] != 0 else { return nil }
                let body = place + Int64(headSize)
                let size =
                    version < 3 ? number(head[3...], isSafe: false) : number(head[4..<8], isSafe: version == 4)
                guard size <= end - body else { return nil }
                count += 1
                guard count <= ID3Bounds.maxFrames, fits(head, body, size) else { return place }
                place = body + size
            }
            return nil
        }

        /// A size; a safe one leaves out each highest bit, unless the tag's writer did not know that.
        private func number(_ bytes: some Collection<UInt8>, isSafe: Bool) -> Int64 {
            let bits = isSafe && bytes.allSatisfy { $0 < 0x80 } ? 7 : 8
            return bytes.reduce(0) { $0 << bits | Int64($1) }
        }

        /// True if the texts of a frame, if it has such, may be read with those before it.
        private mutating func fits(_ head: [UInt8], _ body: Int64, _ size: Int64) -> Bool {
            guard head[0] == UInt8(ascii: "T") else { return true }
            let name = String(decoding: head.prefix(version < 3 ? 3 : 4), as: UTF8.self)
            let isGenre = name == "TCON" || name == "TCO"
            // Compressed, encrypted and grouped texts are rare, and could be anything.
            let isPlain = version < 3 || head[9] & (version == 4 ? 0x4C : 0xE0) == 0
            guard isPlain, size <= (isGenre ? ID3Bounds.maxGenreLength : ID3Tag.maxFrameSize) else { return false }
            var bytes = source.bytes(at: body, count: Int(size))
            if version == 4, head[9] & 0x01 != 0 { bytes.removeFirst(min(4, bytes.count)) }
            var number = Self.numberOfTexts(bytes)
            if version == 4, flags & 0x80 != 0 || head[9] & 0x02 != 0 {
                number = max(number, Self.numberOfTexts(ID3Tag.withoutUnsynchronisation(bytes)))
            }
            texts[name, default: 0] += number
            return texts[name, default: 0] <= ID3Bounds.maxTexts
        }

        private static func numberOfTexts(_ bytes: [UInt8]) -> Int {
            guard let encoding = bytes.first else { return 1 }
            guard encoding == 1 || encoding == 2 else { return 1 + bytes.dropFirst().count { $0 == 0 } }
            return 1 + stride(from: 1, to: bytes.count - 1, by: 2).count { bytes[$0] == 0 && bytes[$0 + 1] == 0 }
        }
    }
}
