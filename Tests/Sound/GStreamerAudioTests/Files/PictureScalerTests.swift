import Testing

@testable import GStreamerAudio

extension AudioTests {
    @Suite("Pictures for screens")
    struct PictureScalerTests {
        /// The beginning of a PNG file that says it is so large.
        private static func png(_ width: UInt32, _ height: UInt32, colours: UInt8 = 2) -> [UInt8] {
            func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
            return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + big(width)
                + big(height) + [8, colours, 0, 0, 0] + [UInt8](repeating: 0, count: 40)
        }

        @Test("come in the size that is asked for, with their proportions, and small ones as they are")
        func sizes() throws {
            let cover = DemoCover.png()
            #expect(PictureHeader(cover).map { [$0.width, $0.height] } == [320, 320])
            let small = try #require(PictureScaler.scaled(cover, edge: 96))
            #expect(small.mimeType == "image/jpeg" && small.bytes.count < 8000)
            let header = try #require(PictureHeader(small.bytes))
            #expect([header.width, header.height] == [96, 96] && header.mimeType == "image/jpeg")
            let smaller = try #require(PictureScaler.scaled(small.bytes, edge: 40))
            #expect(PictureHeader(smaller.bytes).map { [$0.width, $0.height] } == [40, 40])
            #expect(PictureScaler.scaled(cover, edge: 320) == nil)
            #expect(PictureScaler.scaled(cover, edge: 1280) == nil)
        }

        @Test("that would take too much memory are never decoded")
        func bombs() {
            #expect(PictureHeader(Self.png(60000, 60000))?.width == 60000)
            #expect(PictureScaler.scaled(Self.png(60000, 60000), edge: 96) == nil)
            #expect(PictureHeader(Self.png(.max, 1)) == nil && PictureHeader(Self.png(0, 5)) == nil)
        }

        @Test("that are damaged or none at all are given up")
        func damage() throws {
            #expect(PictureScaler.scaled([], edge: 96) == nil)
            #expect(PictureScaler.scaled(Array("<svg/>".utf8), edge: 96) == nil)
            #expect(PictureScaler.scaled(Self.png(500, 500), edge: 96) == nil)
            let jpeg = try #require(PictureScaler.scaled(DemoCover.png(), edge: 200)).bytes
            for length in [3, 20, 200, jpeg.count / 2] {
                // Half of a JPEG may be shown; it is never waited for.
                _ = PictureScaler.scaled(Array(jpeg.prefix(length)), edge: 96)
            }
            var endless = Array(jpeg.prefix(2))
            for _ in 0..<1000 { endless += [0xFF, 0xE0, 0, 0] }
            #expect(PictureHeader(endless) == nil)
            let webp = Array("RIFF0000WEBPVP8X".utf8)
            for length in 0..<40 { _ = PictureHeader(webp + [UInt8](repeating: 255, count: length)) }
        }
    }
}
