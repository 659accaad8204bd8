import HTTPStreaming
import NIOCore

/// Puts a title between the bytes of a stream, and takes it out again as a player does.
///
/// - Shape: the first byte says in which pieces the stream is sent; the rest is the title.
enum StreamTitleFuzz {
    static func run(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        var titles = TitleInterleaver(title: String(decoding: bytes.dropFirst(), as: UTF8.self))
        var woven: [UInt8] = []
        var left = 2 * TitleInterleaver.interval
        while left > 0 {
            let count = min(left, Int(first) * 64 + 1)
            woven += titles.weave(ByteBuffer(repeating: 1, count: count)).readableBytesView
            left -= count
        }
        let block = woven.dropFirst(TitleInterleaver.interval)
        guard let length = block.first, block.count > Int(length) * 16 else { throw FuzzFinding("no block") }
        let text = block.dropFirst().prefix(Int(length) * 16)
        let inner = text.prefix { $0 != 0 }
        guard inner.starts(with: Array("StreamTitle='".utf8)), inner.suffix(2).elementsEqual("';".utf8),
            inner.filter({ $0 == UInt8(ascii: "'") }).count == 2, text.dropFirst(inner.count).allSatisfy({ $0 == 0 }),
            String(validating: inner, as: UTF8.self) != nil
        else { throw FuzzFinding("the block \(String(decoding: text, as: UTF8.self))") }
        let sound = block.dropFirst(1 + Int(length) * 16)
        guard sound.count == TitleInterleaver.interval + 1, sound.dropLast().allSatisfy({ $0 == 1 }), sound.last == 0
        else {
            throw FuzzFinding("what follows the title is not the sound")
        }
    }
}
