import Testing

@testable import AudioFiles

@Suite("ID3 tags")
struct ID3TagTests {
    private static func frame(_ name: String, _ body: [UInt8], flags: UInt8 = 0) -> [UInt8] {
        Array(name.utf8) + [0, 0, 0, UInt8(body.count), 0, flags] + body
    }

    private static func tag(version: UInt8, flags: UInt8 = 0, _ frames: [UInt8]) -> [UInt8] {
        Array("ID3".utf8) + [version, 0, flags, 0, 0, UInt8(frames.count >> 7), UInt8(frames.count & 0x7F)] + frames
    }

    private func read(_ bytes: [UInt8], _ names: Set<String>) -> [ID3Tag.Frame]? {
        ID3Tag(HeaderBytes(bytes), frames: names)?.frames
    }

    @Test("Every text of a frame is read, in each of the four encodings")
    func texts() throws {
        let frames =
            Self.frame("TSO2", [3] + Array("Å\u{0}B".utf8)) + Self.frame("TPE1", [3, 0x78])
            + Self.frame("TXXX", [1, 0xFF, 0xFE, 0x41, 0, 0, 0, 0xFF, 0xFE, 0x42, 0, 0, 0, 0x43, 0])
            + Self.frame("TXXX", [2, 0, 0x44]) + Self.frame("TSO2", [0, 0xC5])
        let found = try #require(read(Self.tag(version: 4, frames), ["TSO2", "TXXX"]))
        #expect(found.map(\.name) == ["TSO2", "TXXX", "TXXX", "TSO2"])
        #expect(found.map(\.texts) == [["Å", "B"], ["A", "B", "C"], ["D"], ["Å"]])
    }

    @Test("Unsynchronised tags are read as they were before", arguments: [3, 4])
    func unsynchronised(version: UInt8) throws {
        // In the older version sizes count what is meant, in the newer one what is there.
        let text: [UInt8] = [1, 0xFF, 0, 0xFE, 0x41, 0]
        var frame = Self.frame("TSO2", text)
        if version == 3 { frame[7] = 5 }
        let found = try #require(read(Self.tag(version: version, flags: 0x80, frame), ["TSO2"]))
        #expect(found.map(\.texts) == [["A"]])
    }

    @Test("Sizes beyond the tag, endless tags and other files give nothing")
    func hostile() {
        #expect(read(Array("fLaC".utf8), ["TSO2"]) == nil)
        #expect(read(Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F], ["TSO2"]) == nil)
        var frames = Self.frame("TSO2", [3, 0x41])
        frames[7] = 0x70
        #expect(read(Self.tag(version: 4, frames), ["TSO2"])?.isEmpty == true)
        #expect(read(Self.tag(version: 4, Self.frame("USLT", [1, 0x65])), ["USLT"])?.first?.lyrics == nil)
        #expect(
            read(Self.tag(version: 4, Self.frame("TSO2", [1])), ["TSO2"])?.first?.texts.allSatisfy(\.isEmpty)
                == true)
    }
}
