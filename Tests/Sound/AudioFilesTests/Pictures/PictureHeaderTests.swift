import Testing

@testable import AudioFiles

extension AudioTests {
    @Suite("Headers of pictures")
    struct PictureHeaderTests {
        private func size(_ bytes: [UInt8]) -> [Int]? { PictureHeader(bytes).map { [$0.width, $0.height] } }

        @Test("a JPEG's size is read behind markers that have no length, and never from inside another segment")
        func markersAlone() {
            for marker in [UInt8](0xD0...0xD7) + [0x01] {
                #expect(size(PictureBytes.misleading(1200, 900, marker: marker)) == [1200, 900])
            }
            let filled = PictureBytes.jpeg(1200, 900, before: [UInt8](repeating: 0xFF, count: 5000))
            #expect(size(filled) == [1200, 900])
            let noise = PictureBytes.segment(0xFE, [1]) + [0, 7, 0xFF, 0, 9]
            #expect(size(PictureBytes.jpeg(1200, 900, before: noise)) == [1200, 900])
            let camera = PictureBytes.segment(0xE1, PictureBytes.jpeg(160, 120))
            #expect(size(PictureBytes.jpeg(1200, 900, before: camera)) == [1200, 900])
        }

        @Test("a JPEG that could be read in two ways has no size")
        func ambiguity() {
            let other = PictureBytes.frame(200, 200)
            #expect(size(PictureBytes.jpeg(1200, 900, before: other)) == nil)
            #expect(size(PictureBytes.jpeg(1200, 900, between: other)) == nil)
            #expect(size(PictureBytes.jpeg(1200, 900, behind: other)) == nil)
            #expect(size(PictureBytes.jpeg(1200, 900, before: [0xFF, 0xD8])) == nil)
            #expect(size(PictureBytes.jpeg(1200, 900, behind: [0xFF, 0xD8])) == nil)
            #expect(size(PictureBytes.jpeg(1200, 900, before: [0xFF, 0xD9])) == nil)
            // The number of lines comes behind the first scan.
            #expect(size(PictureBytes.jpeg(1200, 0, behind: PictureBytes.segment(0xDC, [4, 0]))) == nil)
            for marker in [0xC3, 0xC5, 0xC8, 0xCF, 0xF7, 0x02] as [UInt8] {
                #expect(size(PictureBytes.jpeg(1200, 900, before: PictureBytes.segment(marker, [0, 0]))) == nil)
            }
        }

        @Test("only the picture itself is handed to a decoder")
        func parts() throws {
            let jpeg = PictureBytes.jpeg(16, 16)
            #expect(PictureHeader(jpeg + PictureBytes.jpeg(1200, 900))?.parts == [0..<jpeg.count])
            let text = PictureBytes.chunk("zTXt", [1, 2, 3])
            let pixels = PictureBytes.chunk("PLTE", [1]) + PictureBytes.chunk("IDAT", [2])
            let end = PictureBytes.chunk("IEND", [])
            let png = [
                PNGChunks.signature, PictureBytes.pngHeader(16, 16), text, pixels, text, text, end, text,
            ].flatMap { $0 }
            let header = try #require(PictureHeader(png))
            #expect(header.parts.map { png[$0].count } == [33, 26, 12])
            #expect(!header.parts.contains { String(decoding: png[$0], as: UTF8.self).contains("zTXt") })
            let twice = PictureBytes.pngHeader(16, 16) + PictureBytes.pngHeader(9, 9)
            #expect(size(PNGChunks.signature + twice) == nil)
            let webp = PictureBytes.webp([PictureBytes.lossless(16, 16)])
            #expect(PictureHeader(webp + webp)?.parts == [0..<webp.count])
            let (still, moving) = (PictureBytes.canvas(16, 16), PictureBytes.canvas(16, 16, flags: 2))
            #expect(size(PictureBytes.webp([still, PictureBytes.lossless(16, 16)])) == [16, 16])
            #expect(size(PictureBytes.webp([moving, PictureBytes.lossless(16, 16)])) == nil)
        }

        @Test("a JPEG has at most 64 scans")
        func scans() {
            let scan = PictureBytes.segment(0xDA, [1, 1, 0, 1, 1, 0])
            func picture(_ count: Int) -> [UInt8] {
                PictureBytes.jpeg(64, 64, marker: 0xC2, behind: (1..<count).flatMap { _ in scan })
            }
            #expect(size(picture(64)) == [64, 64])
            #expect(size(picture(65)) == nil)
        }

        @Test("the memory of a decoder follows from what the picture is made of")
        func cost() throws {
            func megabytes(_ bytes: [UInt8]) throws -> Int { try #require(PictureHeader(bytes)).cost.total / 1_000_000 }
            let photograph: [UInt8] = [0x22, 0x11, 0x11]
            #expect(try megabytes(PictureBytes.jpeg(4000, 4000)) == 16)
            #expect(try megabytes(PictureBytes.jpeg(4000, 4000, sampling: photograph)) == 24)
            #expect(try megabytes(PictureBytes.jpeg(4000, 4000, marker: 0xC2, sampling: photograph)) == 74)
            #expect(try megabytes(PictureBytes.jpeg(4000, 4000, sampling: [0x11, 0x11, 0x11])) == 66)
            #expect(try megabytes(PictureBytes.png(4000, 4000)) == 66)
            #expect(try megabytes(PictureBytes.png(4000, 4000, depth: 16, colours: 6)) == 132)
            #expect(try megabytes(PictureBytes.webp([PictureBytes.lossless(4000, 4000)])) == 148)
        }
    }
}
