import Coordination
import MusicModel

/// Packets of ALAC in a container of which GStreamer 1.22 can't read them, Matroska or CAF, shown to it as an MP4 file:
/// its head lies before the file's own bytes, and says where in these the packets are.
/// - Source: ISO/IEC 14496-12; Apple's ALAC magic cookie description (ALACSpecificConfig).
struct PacketFile {
    struct Form {
        let cookie: [UInt8]

        /// Takes a description as it stands there, alone or in the boxes that QuickTime has around it.
        init?(_ bytes: [UInt8]) {
            let isInBoxes = bytes.dropFirst(4).starts(with: Array("frma".utf8))
            cookie = Array(bytes.dropFirst(isInBoxes ? 24 : 0).prefix(24))
            guard cookie.count == 24, framesPerPacket > 0, framesPerPacket <= 65_536,
                SoundLimits.rates.contains(rate), SoundLimits.channels.contains(channels)
            else { return nil }
        }

        var framesPerPacket: Int { Int(highestFirst: cookie[0..<4]) }
        var bits: Int { Int(cookie[5]) }
        var channels: Int { Int(cookie[9]) }
        var rate: Int { Int(highestFirst: cookie[20..<24]) }
    }

    static let maxPackets = 1 << 18

    private let form: Form
    private let packets: [(offset: Int64, size: Int)]
    private let frames: Int64

    init?(_ form: Form, _ packets: [(offset: Int64, size: Int)], frames: Int64?, _ source: HeaderBytes) {
        guard let last = packets.last, packets.count <= Self.maxPackets else { return nil }
        (self.form, self.packets) = (form, packets)
        let before = Int64(packets.count - 1) * Int64(form.framesPerPacket)
        // Some writers count whole packets.
        let rest = min(frames ?? .max, before + Int64(form.framesPerPacket)) - before
        let own = Self.frames(ofPacketAt: last.offset, in: source) ?? .max
        self.frames = before + min(rest, own).clamped(to: 1...Int64(form.framesPerPacket))
    }

    /// How many frames a packet says that it has, which only those do that have fewer than others.
    private static func frames(ofPacketAt offset: Int64, in source: HeaderBytes) -> Int64? {
        // Behind 19 bits and one that says that they are there.
        guard let bits = source.number(at: offset, count: 8) else { return nil }
        return bits >> 44 & 1 == 1 ? Int64(bits >> 9 & 0xFFFF_FFFF) : .max
    }

    func shown(size: Int64) -> TrackHeader? {
        // The head is as long whatever positions stand in it.
        let length = Int64(head(size: size, at: 0).count)
        let trim = TrackTrim(skip: 0, frames: frames, rate: form.rate)
        guard trim.isPlausible, frames <= Int64(UInt32.max) else { return nil }
        return TrackHeader(trim: trim, length: trim.duration, prefix: head(size: size, at: length))
    }

    private func head(size: Int64, at start: Int64) -> [UInt8] {
        let each = Int64(form.framesPerPacket)
        let last = frames - Int64(packets.count - 1) * each
        let times = packets.count > 1 ? [Int64(packets.count - 1), each, 1, last] : [1, last]
        let sound =
            box(
                "alac",
                big(0, 6) + big(1, 2) + big(0, 8) + big(Int64(form.channels), 2) + big(Int64(form.bits), 2)
                    // Packets, also where all are of one size.
                    + big(0xFFFE, 2) + big(0, 2) + big(Int64(form.rate & 0xFFFF), 2) + big(0, 2)
                    + box("alac", big(0, 4) + form.cookie))
        let table = box(
            "stbl",
            box("stsd", big(0, 4) + big(1, 4) + sound)
                + box("stts", big(0, 4) + big(Int64(times.count / 2), 4) + times.flatMap { big($0, 4) })
                + box("stsc", big(0, 4) + big(1, 4) + big(1, 4) + big(1, 4) + big(1, 4))
                + box("stsz", big(0, 8) + big(Int64(packets.count), 4) + packets.flatMap { big(Int64($0.size), 4) })
                + box("co64", big(0, 4) + big(Int64(packets.count), 4) + packets.flatMap { big(start + $0.offset, 8) }))
        let rate = Int64(form.rate)
        let information = box(
            "minf",
            box("smhd", big(0, 8))
                + box(
                    "dinf",
                    box(
                        "dref",
                        big(0, 4) + big(1, 4)
                            + box("url ", big(1, 4)))) + table)
        let media = box(
            "mdia",
            box("mdhd", big(0, 12) + big(rate, 4) + big(frames, 4) + big(0x55C4_0000, 4))
                + box("hdlr", big(0, 8) + Array("soun".utf8) + big(0, 13)) + information)
        let matrix = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000].flatMap { big($0, 4) }
        let track = box(
            "trak",
            box(
                "tkhd",
                big(7, 4) + big(0, 8) + big(1, 4) + big(0, 4) + big(frames, 4)
                    + big(0, 8) + big(0, 4) + big(0x100_0000, 4) + matrix + big(0, 8)) + media)
        let movie = box(
            "mvhd",
            big(0, 12) + big(rate, 4) + big(frames, 4) + big(0x1_0000, 4) + big(0x100_0000, 4)
                + big(0, 8) + matrix + big(0, 24) + big(2, 4))
        return box("ftyp", Array("M4A ".utf8) + big(0, 4)) + box("moov", movie + track)
            + big(1, 4) + Array("mdat".utf8) + big(size + 16, 8)
    }

    private func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
        big(Int64(body.count + 8), 4) + Array(name.utf8) + body
    }
}

/// The parts of a CAF file with packets.
/// - Source: Core Audio Format Specification 1.0, "Packet Table Chunk".
struct PackedCAF {
    let chunks: [String: Range<Int64>]

    private static let maxCookieSize = 256

    func shown(_ source: HeaderBytes) -> TrackHeader? {
        guard let size = source.size, let description = chunks["desc"]?.lowerBound,
            source.name(at: description + 8) == "alac", let cookie = chunks["kuki"],
            let form = PacketFile.Form(
                source.bytes(at: cookie.lowerBound, count: min(Self.maxCookieSize, cookie.count))),
            let (packets, frames) = packets(source)
        else { return nil }
        return PacketFile(form, packets, frames: frames, source)?.shown(size: size)
    }

    private func packets(_ source: HeaderBytes) -> (packets: [(offset: Int64, size: Int)], frames: Int64)? {
        guard let table = chunks["pakt"], let sound = chunks["data"],
            let count = source.number(at: table.lowerBound, count: 8),
            (1...UInt64(PacketFile.maxPackets)).contains(count),
            let frames = source.number(at: table.lowerBound + 8, count: 8)
        else { return nil }
        let bytes = source.bytes(at: table.lowerBound + 24, count: min(table.count - 24, Int(count) * 5))
        var packets: [(offset: Int64, size: Int)] = []
        var (offset, value) = (sound.lowerBound + 4, 0)
        for byte in bytes where packets.count < Int(count) {
            // Seven bits at a time, of which all but the last have the highest set.
            value = value << 7 | Int(byte & 0x7F)
            guard value < 1 << 28 else { return nil }
            if byte & 0x80 != 0 { continue }
            guard value > 0, offset + Int64(value) <= sound.upperBound else { break }
            packets.append((offset, value))
            offset += Int64(value)
            value = 0
        }
        return packets.isEmpty ? nil : (packets, Int64(clamping: frames))
    }
}
