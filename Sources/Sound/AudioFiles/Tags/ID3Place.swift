/// Where ID3 tags lie in files: at the beginning of a stream, else in a chunk, or behind the sound of a DSF file.
enum ID3Place {
    private static let headSize: Int64 = 10

    /// Where a file's tag begins, and where it ends at the latest; nil without one.
    static func find(in source: HeaderBytes) -> Range<Int64>? {
        guard let size = source.size, let offset = candidate(source, size), offset.lowerBound <= size - headSize,
            source.bytes(at: offset.lowerBound, count: 3).elementsEqual("ID3".utf8)
        else { return nil }
        return offset.clamped(to: 0..<size)
    }

    private static func candidate(_ source: HeaderBytes, _ size: Int64) -> Range<Int64>? {
        switch source.name(at: 0) {
        case "DSD ":
            guard let offset = source.little(at: 20, count: 8), offset > 0, offset < UInt64(size) else { return nil }
            return Int64(offset)..<size
        case "FRM8": return (try? DSDHeader.read(source))?.tag
        case "RIFF", "RF64", "BW64", "FORM": return SoundChunks(source)?.body("id3 ", "ID3 ")
        default: return 0..<size
        }
    }
}
