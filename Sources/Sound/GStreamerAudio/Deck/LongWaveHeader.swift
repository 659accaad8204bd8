/// The header of an RF64 or BW64 file: a WAV file whose sizes may have 64 bits.
///
/// GStreamer 1.22 takes all that is behind the sound of the one for sound, tags included, and doesn't know the other.
/// Both are shown to it as WAV files where their sizes allow that.
enum LongWaveHeader {
    private static let largest: Int64 = 0xFFFF_FFFE

    /// Reads the header; nil for any other kind of file, and for more than 4 GiB.
    static func read(_ source: HeaderBytes) -> TrackHeader? {
        guard let name = source.name(at: 0), name == "RF64" || name == "BW64", let size = source.size, size >= 8,
            size - 8 <= largest, let sound = SoundChunks(source, upTo: "data")?.body("data")
        else { return nil }
        return TrackHeader(patches: [
            BytePatch(offset: 0, bytes: Array("RIFF".utf8) + bytes(size - 8)),
            BytePatch(offset: sound.lowerBound - 4, bytes: bytes(sound.upperBound - sound.lowerBound)),
        ])
    }

    private static func bytes(_ value: Int64) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
