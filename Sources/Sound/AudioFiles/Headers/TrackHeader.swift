package import Coordination
import MusicModel

/// Which of the frames that a decoder gives make up the song: encoders put silence before it and after it.
package struct TrackTrim: Hashable, Sendable {
    /// Frames before the song's first one.
    package var skip: Int64
    /// How many frames the song has; nil if all that follow belong to it.
    var frames: Int64?
    var rate: Int

    /// The frames before the song, at the rate of the decoded sound.
    package func skip(at rate: Int) -> Int64 { Self.scale(skip, from: self.rate, to: rate) }
    /// The song's frames, at the rate of the decoded sound.
    package func frames(at rate: Int) -> Int64? { frames.map { Self.scale($0, from: self.rate, to: rate) } }

    var isPlausible: Bool {
        SoundLimits.rates.contains(rate) && (0...SoundLimits.frames).contains(skip)
            && (0...SoundLimits.frames).contains(frames ?? 0)
    }

    /// How much lies before the song.
    package var skipped: Nanoseconds { SampleLayout(rate: rate, channels: 1).length(frames: Int(skip)) }
    /// How long the song is.
    package var duration: Nanoseconds? { frames.map { SampleLayout(rate: rate, channels: 1).length(frames: Int($0)) } }

    private static func scale(_ frames: Int64, from: Int, to: Int) -> Int64 {
        from == to || from <= 0 ? frames : Int64(saturating: (Double(frames) * Double(to) / Double(from)).rounded())
    }
}

/// Bytes of a file that the pipeline gets to see otherwise than they are.
struct BytePatch: Hashable, Sendable {
    var offset: Int64
    var bytes: [UInt8]
}

/// The song's true ends, as far as the first bytes of a file say them. GStreamer's parsers and demuxers trim some of
/// this on their own, each version something else and not always to the frame. The patches hide it from them, so that
/// decoders give all there is and the deck alone trims.
struct TrackHeader: Hashable, Sendable {
    var trim: TrackTrim?
    /// How long the track is; nil where the pipeline knows it.
    var length: Nanoseconds?
    var patches: [BytePatch] = []
    /// Where the pipeline sees the file end; nil where it does.
    var end: Int64?
    /// The blocks of sound whose positions the pipeline tells otherwise; nil as a rule.
    var blocks: SoundBlocks?
    /// The bytes that the pipeline sees before the file's first one.
    var prefix: [UInt8] = []
    var isMusepack = false
    var vorbis: OggVorbisHeader.Stream?

    /// Reads the header of a file of whatever kind; what is damaged or unknown gives an empty header.
    static func read(_ source: HeaderBytes) -> TrackHeader {
        let header = readUnchecked(source)
        return header.trim?.isPlausible == false ? TrackHeader(isMusepack: header.isMusepack) : header
    }

    /// Reads what decoders can't read as it is of a file; all else is left to them.
    static func readForm(_ source: HeaderBytes) -> TrackHeader {
        if let header = plain(source) { return header }
        if let start = MPEGStart.find(in: source) {
            return MPEGStart.alone(at: start, in: source)
                ?? TrackHeader(patches: MPEGStart.patches(before: start, in: source))
        }
        guard source.name(at: 4) == "ftyp", let header = MP4Header.read(source), header.trim?.isPlausible != false
        else { return TrackHeader() }
        return header
    }

    private static func plain(_ source: HeaderBytes) -> TrackHeader? {
        LongWaveHeader.read(source) ?? ADPCMHeader.read(source) ?? PlainSoundHeader.read(source)
            ?? MatroskaHeader.read(source)
    }

    private static func readUnchecked(_ source: HeaderBytes) -> TrackHeader {
        let start = source.bytes(at: 0, count: 12)
        guard start.count == 12 else { return TrackHeader() }
        if start[4..<8].elementsEqual("ftyp".utf8) { return MP4Header.read(source) ?? TrackHeader() }
        if start[0..<4].elementsEqual("OggS".utf8) { return TrackHeader(vorbis: OggVorbisHeader.read(source)) }
        if let header = plain(source) { return header }
        let name = source.name(at: source.afterTags) ?? ""
        if name == "MPCK" || name.hasPrefix("MP+") { return TrackHeader(isMusepack: true) }
        let isMPEG = start[0..<3].elementsEqual("ID3".utf8) || start[0] == 0xFF && start[1] & 0xE0 == 0xE0
        let frames = MPEGStart.find(in: source)
        guard isMPEG || frames != nil else { return TrackHeader() }
        if let frames, let header = MPEGStart.alone(at: frames, in: source) { return header }
        var header = MP3Header.read(source, at: frames ?? source.afterTags) ?? TrackHeader()
        if let frames { header.patches += MPEGStart.patches(before: frames, in: source) }
        return header
    }
}

/// The bytes of a file for reading its header; reads beyond the end give less.
struct HeaderBytes {
    var size: Int64?
    /// True if all bytes are there, and none has to be waited for.
    var isComplete = true
    var mayBeMPEG = false
    private let read: (Int64, Int) -> [UInt8]

    /// Reads through a function that gives as many bytes as there are at an offset, at most those asked for.
    init(size: Int64?, read: @escaping (Int64, Int) -> [UInt8]) { (self.size, self.read) = (size, read) }

    init(_ bytes: [UInt8]) {
        self.init(size: Int64(bytes.count)) { offset, count in
            guard offset >= 0, offset < Int64(bytes.count) else { return [] }
            let start = Int(offset)
            return Array(bytes[start..<min(bytes.count, start.addingClamped(count))])
        }
    }

    func bytes(at offset: Int64, count: Int) -> [UInt8] { offset >= 0 && count > 0 ? read(offset, count) : [] }

    /// A big-endian number of `count` bytes at `offset`, nil if the file ends before.
    func number(at offset: Int64, count: Int) -> UInt64? {
        let found = bytes(at: offset, count: count)
        return found.count == count ? UInt64(highestFirst: found) : nil
    }

    func little(at offset: Int64, count: Int) -> UInt64? {
        number(at: offset, count: count).map { $0.byteSwapped >> UInt64(64 - 8 * count) }
    }

    /// Where the ID3v2 tags at the beginning lie, at most eight, and the sound behind them.
    var tagsBefore: (starts: [Int64], end: Int64) {
        var (starts, end) = ([Int64](), Int64(0))
        while starts.count < 8, let size = sizeOfTag(at: end) {
            starts.append(end)
            end += size
        }
        return (starts, end)
    }

    var afterTags: Int64 { tagsBefore.end }

    /// How many bytes the ID3v2 tag at `offset` says it has, with its header and footer; nil where there is none.
    func sizeOfTag(at offset: Int64) -> Int64? {
        let head = bytes(at: offset, count: 10)
        guard head.count == 10, head[0..<3].elementsEqual("ID3".utf8), head[6...].allSatisfy({ $0 < 0x80 })
        else { return nil }
        return 10 + head[6...].reduce(0) { $0 << 7 | Int64($1) } + (head[5] & 0x10 != 0 ? 10 : 0)
    }

    func name(at offset: Int64) -> String? {
        let found = bytes(at: offset, count: 4)
        return found.count == 4 ? String(decoding: found, as: Unicode.ASCII.self) : nil
    }
}
