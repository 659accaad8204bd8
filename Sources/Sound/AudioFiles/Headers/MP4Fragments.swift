import Coordination
import MusicModel

/// The pieces of a fragmented MP4 file, of which its head does not know how long they are.
/// - Source: ISO/IEC 14496-12, 8.8 (movie fragments).
enum MP4Fragments {
    private typealias Box = MP4Boxes.Box

    private static let maxBoxes = 200_000
    private static let maxSamples: Int64 = 1 << 18

    /// How long a track of `rate` ticks a second is, by its pieces; nil where they say nothing, or are still to arrive.
    static func length(of track: [MP4Boxes.Box], in movie: [MP4Boxes.Box], rate: Int, _ source: HeaderBytes)
        -> Nanoseconds?
    {
        guard source.isComplete, let size = source.size, let head = track.first(where: { $0.name == "tkhd" }),
            let number = source.number(
                at: head.body + (source.number(at: head.body, count: 1) == 1 ? 20 : 12), count: 4)
        else { return nil }
        var file = MP4Boxes(source, budget: maxBoxes)
        let usual = movie.first { $0.name == "mvex" }.map { file.boxes($0) }?
            .first { $0.name == "trex" && source.number(at: $0.body + 4, count: 4) == number }
            .flatMap { source.number(at: $0.body + 12, count: 4) }
        var end: Int64 = 0
        var offset: Int64 = 0
        while let piece = file.box("moof", from: offset, to: size) {
            offset = piece.end
            for part in file.boxes(piece) where part.name == "traf" {
                let boxes = file.boxes(part)
                guard let head = boxes.first(where: { $0.name == "tfhd" }),
                    source.number(at: head.body + 4, count: 4) == number
                else { continue }
                if let start = boxes.first(where: { $0.name == "tfdt" }).flatMap({ start(of: $0, source) }) {
                    end = start
                }
                let each = duration(of: head, source) ?? usual ?? 0
                for run in boxes where run.name == "trun" {
                    end = end.addingClamped(length(of: run, each: each, source))
                }
            }
        }
        guard end > 0, end <= SoundLimits.frames else { return nil }
        return SampleLayout(rate: rate, channels: 1).length(frames: Int(end))
    }

    private static func start(of box: Box, _ source: HeaderBytes) -> Int64? {
        let isLong = source.number(at: box.body, count: 1) == 1
        return source.number(at: box.body + 4, count: isLong ? 8 : 4).map { Int64(clamping: $0) }
    }

    private static func duration(of head: Box, _ source: HeaderBytes) -> UInt64? {
        guard let flags = source.number(at: head.body, count: 4), flags & 0x8 != 0 else { return nil }
        let before: Int64 = (flags & 0x1 != 0 ? 8 : 0) + (flags & 0x2 != 0 ? 4 : 0)
        return source.number(at: head.body + 8 + before, count: 4)
    }

    private static func length(of run: Box, each: UInt64, _ source: HeaderBytes) -> Int64 {
        guard let flags = source.number(at: run.body, count: 4), let told = source.number(at: run.body + 4, count: 4)
        else { return 0 }
        guard flags & 0x100 != 0 else { return Int64(clamping: told.multipliedClamped(by: each)) }
        let start = run.body + 8 + (flags & 0x1 != 0 ? 4 : 0) + (flags & 0x4 != 0 ? 4 : 0)
        let stride = 4 * (1 + [0x200, 0x400, 0x800].count { flags & $0 != 0 })
        let count = Int(min(Int64(clamping: told), maxSamples, max(0, run.end - start) / Int64(stride)))
        let bytes = source.bytes(at: start, count: count * stride)
        return Swift.stride(from: 0, to: bytes.count - stride + 1, by: stride).reduce(0) { sum, offset in
            sum + Int64(highestFirst: bytes[offset..<offset + 4])
        }
    }
}
