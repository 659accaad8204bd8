import Testing

@testable import AudioFiles

@Suite("APE tags that would end the process")
struct DamagedAPETagTests {
    private func hidden(size: UInt32) -> [UInt8] {
        var bytes = [UInt8](repeating: 7, count: 50) + Array("APETAGEX".utf8) + [208, 7, 0, 0]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: size >> ($0 * 8)) } + [1, 0, 0, 0, 0, 0, 0, 0x80]
        bytes += [UInt8](repeating: 0, count: 8)
        bytes.withUnsafeMutableBytes { DamagedAPETag.hide(in: $0) }
        return bytes
    }

    @Test("Sizes that overflow, or leave out the footer, are hidden", arguments: [0, 31, 0xFFFF_FFFF, 0xFFFF_FFE0])
    func hides(size: UInt32) { #expect(hidden(size: size)[50] == 0) }

    @Test("Tags as they should be stay", arguments: [32, 500, 1 << 20])
    func keeps(size: UInt32) { #expect(hidden(size: size)[50] == UInt8(ascii: "A")) }

    @Test("A piece that is shorter than a tag stays as it is")
    func short() {
        var bytes = Array("APETAGEX".utf8)
        bytes.withUnsafeMutableBytes { DamagedAPETag.hide(in: $0) }
        #expect(bytes == Array("APETAGEX".utf8))
    }
}
