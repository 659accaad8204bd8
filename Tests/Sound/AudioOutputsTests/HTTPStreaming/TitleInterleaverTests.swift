import NIOCore
import Testing

@testable import AudioOutputs

@Suite struct TitleInterleaverTests {
    /// Takes the texts out of a woven stream again.
    private func unwoven(_ bytes: [UInt8]) -> (sound: [UInt8], titles: [String]) {
        var (sound, titles, place): ([UInt8], [String], Int) = ([], [], 0)
        while place < bytes.count {
            let end = min(place + TitleInterleaver.interval, bytes.count)
            sound += bytes[place..<end]
            place = end
            guard place < bytes.count else { break }
            let length = Int(bytes[place]) * 16
            if length > 0 {
                titles.append(String(decoding: bytes[(place + 1)...(place + length)].prefix { $0 != 0 }, as: UTF8.self))
            }
            place += 1 + length
        }
        return (sound, titles)
    }

    @Test("the sound stays whole however it is cut, and titles come once", arguments: [1, 100, 8191, 8192, 50_000])
    func weaves(size: Int) {
        var titles = TitleInterleaver(title: "A - B")
        let source = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        var woven: [UInt8] = []
        for start in stride(from: 0, to: source.count, by: size) {
            if start > 30_000 { titles.title = "C's - D" }
            woven += titles.weave(ByteBuffer(bytes: source[start..<min(start + size, source.count)])).readableBytesView
        }
        let (sound, seen) = unwoven(woven)
        #expect(sound == source)
        #expect(seen == ["StreamTitle='A - B';", "StreamTitle='C\u{2019}s - D';"])
    }

    @Test("a title that is too long is cut so that its length fits into a byte")
    func cuts() {
        var titles = TitleInterleaver(title: String(repeating: "ü", count: 5000))
        let bytes = titles.weave(ByteBuffer(repeating: 1, count: TitleInterleaver.interval)).readableBytesView
        let text = bytes.dropFirst(TitleInterleaver.interval + 1)
        #expect(text.count == Int(bytes[bytes.startIndex + TitleInterleaver.interval]) * 16)
        #expect(String(decoding: text.prefix { $0 != 0 }, as: UTF8.self).hasSuffix("ü';"))
    }

    /// The text of a title's block, without the zeros behind it.
    private func text(_ title: String) -> [UInt8] {
        var titles = TitleInterleaver(title: title)
        let bytes = titles.weave(ByteBuffer(repeating: 1, count: TitleInterleaver.interval)).readableBytesView
        let text = bytes.dropFirst(TitleInterleaver.interval + 1)
        #expect(text.count == Int(bytes[bytes.startIndex + TitleInterleaver.interval]) * 16)
        return Array(text.prefix { $0 != 0 })
    }

    @Test("one letter with thousands of accents is cut by bytes")
    func accents() {
        let text = text("a" + String(repeating: "\u{301}", count: 2100))
        #expect(text.count <= 4080 && text.count > 4000)
        #expect(text.starts(with: Array("StreamTitle='a\u{301}".utf8)))
        #expect(String(validating: text, as: UTF8.self)?.unicodeScalars.last == ";")
    }

    @Test("no character ends a title early, not even a quote with an accent", arguments: ["'", "'\u{301}", "\0", "\n"])
    func quotes(character: String) {
        let text = text("a\(character);StreamUrl=\(character)b")
        #expect(text.filter { $0 == UInt8(ascii: "'") }.count == 2)
        #expect(text.allSatisfy { $0 >= 0x20 })
        #expect(text.suffix(2).elementsEqual("';".utf8))
    }
}
