/// The header of a long WAV file, and of an RF64 or BW64 file, whose sizes may have 64 bits. GStreamer 1.22 takes all
/// that is behind the sound of an RF64 file for sound, tags included, doesn't know BW64, and takes for chunks what
/// follows the first 2 GiB of sound. All are shown to it as WAV files; where the size of the sound is too large for it,
/// as files that tell none and end with their sound.
enum LongWaveHeader {
    private static let maxSize: Int64 = 0xFFFF_FFFE
    private static let maxSoundSize: Int64 = 0x7FFF_FFFE

    /// Reads the header; nil for any other kind of file, and for WAV files that can be read as they are.
    static func read(_ source: HeaderBytes) -> TrackHeader? {
        guard let name = source.name(at: 0), ["RIFF", "RF64", "BW64"].contains(name), let size = source.size, size >= 8,
            let sound = SoundChunks(source, upTo: "data")?.body("data")
        else { return nil }
        let length = sound.upperBound - sound.lowerBound
        let isLong = length > maxSoundSize || size - 8 > maxSize
        if name == "RIFF" {
            // Sound without a length continues to the file's end anyway.
            let told = source.little(at: sound.lowerBound - 4, count: 4)
            guard length > maxSoundSize, told ?? 0 <= UInt64(maxSize) else { return nil }
        }
        return TrackHeader(
            patches: [
                BytePatch(offset: 0, bytes: Array("RIFF".utf8) + little(min(size - 8, maxSize), 4)),
                BytePatch(offset: sound.lowerBound - 4, bytes: little(isLong ? 0 : length, 4)),
            ], end: isLong ? sound.upperBound : nil)
    }
}
