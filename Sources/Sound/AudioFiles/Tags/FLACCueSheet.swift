import Coordination
import Glibc
import MusicModel

/// The cue sheet block of a FLAC file, which has samples in place of times.
///
/// - Source: RFC 9639, section 8.7.
enum FLACCueSheet {
    private static let maxBlockSize = 1 << 20
    private static let headSize = 396
    private static let maxBlocks = 256

    /// The tracks of a file's cue sheet; nil where it has none, or one without tracks.
    ///
    /// - Isolation: blocks for a few small reads.
    static func read(path: String) -> CueSheet? {
        guard let opened = try? RegularFile.open(path) else { return nil }
        defer { close(opened.descriptor) }
        func bytes(_ count: Int, at offset: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: count)
            return pread(opened.descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
        }
        guard bytes(4, at: 0) == Array("fLaC".utf8) else { return nil }
        var position = 4
        var rate = 0
        for _ in 0..<maxBlocks {
            guard let head = bytes(4, at: position) else { return nil }
            let size = Int(head[1]) << 16 | Int(head[2]) << 8 | Int(head[3])
            switch head[0] & 0x7F {
            case 0:
                guard size >= 18, let info = bytes(18, at: position + 4) else { return nil }
                rate = Int(info[10]) << 12 | Int(info[11]) << 4 | Int(info[12]) >> 4
            case 5:
                guard size <= maxBlockSize, SoundLimits.rates.contains(rate), let block = bytes(size, at: position + 4)
                else { return nil }
                return sheet(block, rate: rate)
            default: break
            }
            guard head[0] & 0x80 == 0 else { return nil }
            position += 4 + size
        }
        return nil
    }

    private static func sheet(_ block: [UInt8], rate: Int) -> CueSheet? {
        guard block.count > headSize else { return nil }
        let layout = SampleLayout(rate: rate, channels: 1)
        var position = headSize
        var tracks: [CueSheet.Track] = []
        for _ in 0..<block[headSize - 1] {
            guard position + 36 <= block.count else { break }
            let head = block[position..<(position + 36)]
            let number = head[head.startIndex + 8]
            let isAudio = head[head.startIndex + 21] & 0x80 == 0
            let count = Int(head[head.startIndex + 35])
            let indexes = (0..<count).map { position + 36 + $0 * 12 }.filter { $0 + 12 <= block.count }
            position += 36 + count * 12
            // The last one is no track but the disc's end; of the others index 1 is where the music begins. No track
            // before the first one could have its pause, in which some discs hide a song.
            guard number != 170, number != 255, isAudio,
                let first = indexes.first(where: { tracks.isEmpty || block[$0 + 8] == 1 }) ?? indexes.first,
                case let start = sample(head.prefix(8)).addingClamped(sample(block[first..<(first + 8)])),
                start <= SoundLimits.frames
            else { continue }
            let text = String(number)
            let tags = [TagValue(.track, text.count < 2 ? "0" + text : text)]
            tracks.append(
                CueSheet.Track(file: 0, start: layout.length(frames: Int(start)).duration, tags: tags))
        }
        return tracks.isEmpty ? nil : CueSheet(tracks: tracks)
    }

    private static func sample(_ bytes: ArraySlice<UInt8>) -> Int64 {
        Int64(clamping: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
