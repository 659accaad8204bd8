import MusicModel

/// A file with one-bit sound as the pipeline gets to see it. The pipeline reads, seeks and ends there as in any other
/// file, so that nothing else of a deck has to know of DSD.
struct DSDView: Sendable {
    enum Kind: Hashable, Sendable {
        /// Samples of 24 bits without a container, each with 16 bits of sound as DoP has them.
        case carrier
        /// A DSF file, for decoders that read nothing else.
        case blocks
    }

    /// Reads bytes of the file itself; gives fewer where it ends or can't be read.
    typealias Reader = (_ offset: Int64, _ count: Int) -> [UInt8]

    let header: DSDHeader
    let kind: Kind
    private let head: [UInt8]
    private let body: Int64
    private let tagSize: Int64

    private static let block: Int64 = 4096

    init(_ header: DSDHeader, as kind: Kind) {
        (self.header, self.kind) = (header, kind)
        let channels = Int64(header.channels)
        switch kind {
        case .carrier:
            body = Self.carrierFrames(header) * channels * 3
            (head, tagSize) = ([], 0)
        case .blocks:
            body = (header.length + Self.block - 1) / Self.block * Self.block * channels
            tagSize = header.tag.map { $0.upperBound - $0.lowerBound } ?? 0
            head = Self.dsfHead(header, body, tagSize)
        }
    }

    var size: Int64 { Int64(head.count) + body + tagSize }

    var trim: TrackTrim {
        switch kind {
        case .carrier: TrackTrim(skip: 0, frames: Self.carrierFrames(header), rate: header.carrierRate)
        case .blocks: TrackTrim(skip: 0, frames: header.length, rate: header.rate / 8)
        }
    }

    var carrierFrameSize: Int { header.channels * 3 }
    private static func carrierFrames(_ header: DSDHeader) -> Int64 { (header.length + 1) / 2 }

    func bytes(at offset: Int64, count: Int, _ read: Reader) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(count, Int(Self.maxBytes)))
        while bytes.count < count {
            let piece = piece(at: offset.addingClamped(Int64(bytes.count)), count: count - bytes.count, read)
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    private func piece(at offset: Int64, count: Int, _ read: Reader) -> [UInt8] {
        guard offset >= 0, offset < size else { return [] }
        let start = Int64(head.count)
        if offset < start { return Array(head[Int(offset)...].prefix(count)) }
        let count = min(Int64(count), Self.maxBytes)
        if offset < start + body {
            let range = offset - start..<min(body, offset - start + count)
            return kind == .carrier ? carrier(range, read) : blocks(range, read)
        }
        let place = offset - start - body
        return header.tag.map { read($0.lowerBound + place, Int(min(count, tagSize - place))) } ?? []
    }

    private static let maxBytes: Int64 = 65_536

    /// A part of the sound as samples of 24 bits; the markers are set by outputs.
    private func carrier(_ range: Range<Int64>, _ read: Reader) -> [UInt8] {
        let frameSize = Int64(header.channels) * 3
        let frames = range.lowerBound / frameSize..<(range.upperBound + frameSize - 1) / frameSize
        let sound = sound(frames.lowerBound * 2..<frames.upperBound * 2, read)
        guard !sound.isEmpty else { return [] }
        var bytes: [UInt8] = []
        let channels = header.channels
        bytes.reserveCapacity(sound.count / 2 * 3)
        for first in stride(from: 0, to: sound.count, by: channels * 2) {
            for index in first..<first + channels {
                bytes += [sound[index + channels], sound[index], DoP.markers.first]
            }
        }
        let skipped = Int(range.lowerBound - frames.lowerBound * frameSize)
        return Array(bytes.dropFirst(skipped).prefix(range.count))
    }

    private func blocks(_ range: Range<Int64>, _ read: Reader) -> [UInt8] {
        let group = Self.block * Int64(header.channels)
        let groups = range.lowerBound / group..<(range.upperBound + group - 1) / group
        let sound = sound(groups.lowerBound * Self.block..<groups.upperBound * Self.block, read)
        guard !sound.isEmpty else { return [] }
        let (channels, block) = (header.channels, Int(Self.block))
        let bytes = [UInt8](unsafeUninitializedCapacity: sound.count) { target, filled in
            for index in sound.indices {
                let (byte, channel) = index.quotientAndRemainder(dividingBy: channels)
                target[(byte / block * channels + channel) * block + byte % block] = sound[index]
            }
            filled = sound.count
        }
        return Array(bytes.dropFirst(Int(range.lowerBound - groups.lowerBound * group)).prefix(range.count))
    }

    /// Bytes of every channel in turn, in the order of `Speaker.layout`, the bit that is heard first highest; silence
    /// behind the last ones. Empty if the file can't be read there.
    private func sound(_ range: Range<Int64>, _ read: Reader) -> [UInt8] {
        let there = range.clamped(to: 0..<header.length)
        var sound = stored(there, read)
        guard sound.count == there.count * header.channels else { return [] }
        if let places = header.arrangement { sound = Self.arranged(sound, places) }
        if header.isLowestBitFirst { for index in sound.indices { sound[index] = Self.reversed[Int(sound[index])] } }
        sound += [UInt8](repeating: DoP.silence, count: (range.count - there.count) * header.channels)
        return sound
    }

    private static func arranged(_ sound: [UInt8], _ places: [Int]) -> [UInt8] {
        stride(from: 0, to: sound.count - places.count + 1, by: places.count).flatMap { first in
            places.map { sound[first + $0] }
        }
    }

    private func stored(_ range: Range<Int64>, _ read: Reader) -> [UInt8] {
        let channels = Int64(header.channels)
        guard case .blocks(let size) = header.order
        else { return read(header.start + range.lowerBound * channels, Int(Int64(range.count) * channels)) }
        let block = Int64(size)
        let groups = range.lowerBound / block..<(range.upperBound + block - 1) / block
        let raw = read(header.start + groups.lowerBound * block * channels, groups.count * size * header.channels)
        guard raw.count == groups.count * size * header.channels else { return [] }
        let first = Int(range.lowerBound - groups.lowerBound * block)
        return [UInt8](unsafeUninitializedCapacity: range.count * header.channels) { target, filled in
            for index in 0..<range.count {
                let (group, byte) = (first + index).quotientAndRemainder(dividingBy: size)
                for channel in 0..<header.channels {
                    target[filled] = raw[(group * header.channels + channel) * size + byte]
                    filled += 1
                }
            }
        }
    }

    private static let reversed: [UInt8] = (0...255).map { (value: UInt8) in
        var (rest, result) = (value, UInt8(0))
        for _ in 0..<8 { (result, rest) = (result << 1 | rest & 1, rest >> 1) }
        return result
    }

    private static func dsfHead(_ header: DSDHeader, _ body: Int64, _ tagSize: Int64) -> [UInt8] {
        let total = 92 + body + tagSize
        let kinds: [Int64] = [0, 1, 2, 3, 4, 6, 7]
        let kind = header.speakers == DSFChunks.fronts ? DSFChunks.kindOfFronts : kinds[header.channels]
        var head = Array("DSD ".utf8) + little(28, 8) + little(total, 8) + little(tagSize > 0 ? 92 + body : 0, 8)
        head += Array("fmt ".utf8) + little(52, 8) + little(1, 4) + little(0, 4) + little(kind, 4)
        head += little(Int64(header.channels), 4) + little(Int64(header.rate), 4) + little(8, 4)
        head += little(header.length * 8, 8) + little(block, 4) + little(0, 4)
        return head + Array("data".utf8) + little(12 + body, 8)
    }
}
