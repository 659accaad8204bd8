import Coordination
import MusicModel

/// The cue sheet block of a FLAC file, which has samples in place of times.
/// - Source: RFC 9639, section 8.7.
enum FLACCueSheet {
    private static let maxBlockSize = 1 << 20
    private static let headSize = 396

    static func read(_ source: HeaderBytes) -> CueSheet? {
        guard source.name(at: 0) == "fLaC", let information = source.flacBlock(0, from: 0),
            let rate = source.number(at: information.lowerBound + 10, count: 3).map({ Int($0 >> 4) }),
            SoundLimits.rates.contains(rate), let block = source.flacBlock(5, from: 0), block.count <= maxBlockSize
        else { return nil }
        return sheet(source.bytes(at: block.lowerBound, count: block.count), rate: rate)
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
            tracks.append(CueSheet.Track(file: 0, start: layout.length(frames: Int(start)).duration, tags: tags))
        }
        return tracks.isEmpty ? nil : CueSheet(tracks: tracks)
    }

    private static func sample(_ bytes: ArraySlice<UInt8>) -> Int64 { Int64(clamping: UInt64(highestFirst: bytes)) }
}

extension CueSheet {
    private static let maxLength = 1 << 20

    /// Reads the text of a tag; nil without one, of more than a MiB, or without tracks.
    init?(tag text: String?) {
        guard let text, text.utf8.count <= Self.maxLength else { return nil }
        let sheet = CueSheet(text)
        guard !sheet.tracks.isEmpty else { return nil }
        self = sheet
    }

    /// The first of a file's sheets that divides it, else the first one.
    static func preferred(_ sheets: [CueSheet?]) -> CueSheet? {
        let sheets = sheets.compactMap(\.self)
        return sheets.first { $0.tracks.count > 1 } ?? sheets.first
    }
}
