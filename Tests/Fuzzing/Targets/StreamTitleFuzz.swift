import NIOCore

@testable import AudioOutputs

/// Puts a title between the bytes of a stream, and takes it out again as a player does.
///
/// - Shape: the first byte says how the stream is sent: its upper four bits how many bytes before the title's place the
///   first piece ends, its lower four how long the pieces around that place are. The rest is the title.
enum StreamTitleFuzz {
    private static let interval = TitleInterleaver.interval

    static func run(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        var titles = TitleInterleaver(title: String(decoding: bytes.dropFirst(), as: UTF8.self))
        var woven: [UInt8] = []
        woven.reserveCapacity(3 * interval)
        var lengths = [interval - Int(first >> 4)]
        while lengths.last ?? 0 < 2 * interval {
            let place = lengths.last ?? 0
            lengths.append(place > interval + 32 ? 2 * interval : place + Int(first & 15) + 1)
        }
        var sent = 0
        for place in lengths {
            woven += titles.weave(sound.getSlice(at: sent, length: place - sent) ?? ByteBuffer()).readableBytesView
            sent = place
        }
        try check(woven)
    }

    /// As much sound as two titles enclose.
    private static let sound = ByteBuffer(repeating: 1, count: 2 * interval)
    private static let onlySound = Array(repeating: UInt8(1), count: interval)

    private static func check(_ woven: [UInt8]) throws {
        let block = woven.dropFirst(interval)
        guard let length = block.first, block.count > Int(length) * 16 else { throw FuzzFinding("no block") }
        let text = block.dropFirst().prefix(Int(length) * 16)
        let inner = text.prefix { $0 != 0 }
        guard inner.starts(with: Array("StreamTitle='".utf8)), inner.suffix(2).elementsEqual("';".utf8),
            inner.filter({ $0 == UInt8(ascii: "'") }).count == 2, text.dropFirst(inner.count).allSatisfy({ $0 == 0 }),
            String(validating: inner, as: UTF8.self) != nil
        else { throw FuzzFinding("the block \(String(decoding: text, as: UTF8.self))") }
        // Compared as memory: looking at every byte would take most of the time.
        guard Array(block.dropFirst(1 + Int(length) * 16)) == onlySound + [0],
            Array(woven.prefix(interval)) == onlySound
        else { throw FuzzFinding("what lies around the title is not the sound") }
    }
}
