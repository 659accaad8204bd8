import Foundation

/// One-bit sound of one or more channels, made by a sigma-delta modulator, and the files that hold it.
package struct DSDSound {
    /// Bits a second, in multiples of a CD's rate.
    package let multiple: Int
    /// The bytes of each channel, the bit that is heard first highest.
    package let channels: [[UInt8]]

    /// Makes a sine of another frequency on every channel, at half of full scale.
    package init(_ multiple: Int = 64, bytes: Int, channels: Int = 2, frequency: Double = 1000) {
        self.multiple = multiple
        self.channels = (0..<channels).map { channel in
            let step = 2 * Double.pi * frequency * Double(channel + 1) / Double(multiple * 44_100)
            var (sum, last, phase) = (0.0, 0.0, 0.0)
            return (0..<bytes).map { _ in
                var byte: UInt8 = 0
                for _ in 0..<8 {
                    sum += 0.5 * sin(phase) - last
                    phase += step
                    last = sum >= 0 ? 1 : -1
                    byte = byte << 1 | (last > 0 ? 1 : 0)
                }
                return byte
            }
        }
    }

    package var length: Int { channels[0].count }

    /// The frames as DoP: the two bytes of each channel in turn, without markers.
    package var frames: [[UInt16]] {
        (0..<(length + 1) / 2).map { frame in
            channels.map { bytes in
                let second = frame * 2 + 1 < bytes.count ? bytes[frame * 2 + 1] : 0x69
                return UInt16(bytes[frame * 2]) << 8 | UInt16(second)
            }
        }
    }

    private static func little(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func big(_ value: Int, _ size: Int) -> [UInt8] { little(value, size).reversed() }

    /// A DSF file, with a tag behind the sound.
    package func dsf(isLowestBitFirst: Bool = true, tag: [UInt8] = []) -> [UInt8] {
        let block = 4096
        let blocks = (length + block - 1) / block
        var data: [UInt8] = []
        for index in 0..<blocks {
            for channel in channels {
                let piece = channel[(index * block)..<min(channel.count, (index + 1) * block)]
                data += isLowestBitFirst ? piece.map { Self.turned($0) } : Array(piece)
                data += [UInt8](repeating: 0, count: block - piece.count)
            }
        }
        let kind = [0, 1, 2, 3, 4, 6, 7][channels.count]
        let numbers = [1, 0, kind, channels.count, multiple * 44_100, isLowestBitFirst ? 1 : 8]
        let format =
            Array("fmt ".utf8) + Self.little(52, 8) + numbers.flatMap { Self.little($0, 4) }
            + Self.little(length * 8, 8) + Self.little(block, 4) + Self.little(0, 4)
        let end = 92 + data.count
        let head = [28, end + tag.count, tag.isEmpty ? 0 : end].flatMap { Self.little($0, 8) }
        return Array("DSD ".utf8) + head + format + Array("data".utf8) + Self.little(12 + data.count, 8) + data + tag
    }

    private static func turned(_ byte: UInt8) -> UInt8 {
        (0..<8).reduce(UInt8(0)) { $0 << 1 | byte >> UInt8($1) & 1 }
    }

    /// As DSDIFF names the speakers of 5.1 in the usual order.
    package static let speakers = ["SLFT", "SRGT", "C   ", "LFE ", "LS  ", "RS  "]

    package static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + big(body.count, 8) + body + (body.count % 2 == 0 ? [] : [0])
    }

    /// A DSDIFF file, with further chunks behind the sound; its channels are those of the speakers named.
    package func dsdiff(coding: String = "DSD ", _ more: [UInt8] = [], speakers: [String] = Self.speakers) -> [UInt8] {
        let names = speakers.prefix(channels.count).joined()
        let properties =
            Self.chunk("FS  ", Self.big(multiple * 44_100, 4))
            + Self.chunk("CHNL", Self.big(channels.count, 2) + Array(names.utf8))
            + Self.chunk("CMPR", Array(coding.utf8) + [14] + Array("not compressed ".utf8))
        let data = (0..<length).flatMap { index in channels.map { $0[index] } }
        let parts =
            Self.chunk("FVER", Self.big(0x0105_0000, 4)) + Self.chunk("PROP", Array("SND ".utf8) + properties)
            + Self.chunk("DSD ", data) + more
        return Self.chunk("FRM8", Array("DSD ".utf8) + parts)
    }

    /// DSDIFF's own chunk of texts.
    package static func texts(title: String, artist: String) -> [UInt8] {
        func text(_ name: String, _ value: String) -> [UInt8] {
            chunk(name, big(value.utf8.count, 4) + Array(value.utf8))
        }
        return chunk("DIIN", text("DIAR", artist) + text("DITI", title))
    }
}

/// What came out of an output as DoP of 24 bits.
package struct DoPCapture {
    /// The frames' markers, the same in all channels of each.
    package private(set) var markers: [UInt8] = []
    /// The frames' bits.
    package private(set) var frames: [[UInt16]] = []
    /// Whether the channels of a frame had different markers.
    package private(set) var isTorn = false

    package init(_ path: String, channels: Int = 2) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let size = 3 * channels
        isTorn = bytes.count % size != 0
        for start in stride(from: 0, to: bytes.count - size + 1, by: size) {
            let samples = stride(from: start, to: start + size, by: 3)
            markers.append(bytes[start + 2])
            if samples.contains(where: { bytes[$0 + 2] != bytes[start + 2] }) { isTorn = true }
            frames.append(samples.map { UInt16(bytes[$0 + 1]) << 8 | UInt16(bytes[$0]) })
        }
    }

    /// Whether the markers are those of DoP and alternate from the first frame on.
    package var isContinuous: Bool {
        guard !isTorn, let first = markers.first, first == 0x05 || first == 0xFA else { return false }
        return markers.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? first : 0xFF - first) }
    }
}
