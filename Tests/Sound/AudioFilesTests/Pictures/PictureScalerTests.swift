import Foundation
import Testing

@testable import AudioFiles
@testable import Demonstration

extension AudioTests {
    @Suite("Pictures for screens")
    struct PictureScalerTests {
        private func scaled(_ bytes: [UInt8], _ edge: Int) -> (bytes: [UInt8], mimeType: String)? {
            PictureScaler(bytes, edge: edge)?.scaled()
        }

        @Test("come in the size that is asked for, with their proportions, and small ones as they are")
        func sizes() throws {
            let cover = DemoCover.png()
            #expect(PictureHeader(cover).map { [$0.width, $0.height] } == [320, 320])
            let small = try #require(scaled(cover, 96))
            #expect(small.mimeType == "image/jpeg" && small.bytes.count < 8000)
            let header = try #require(PictureHeader(small.bytes))
            #expect([header.width, header.height] == [96, 96] && header.kind == .jpeg)
            let smaller = try #require(scaled(small.bytes, 40))
            #expect(PictureHeader(smaller.bytes).map { [$0.width, $0.height] } == [40, 40])
            #expect(scaled(cover, 320) == nil)
            #expect(scaled(cover, 1280) == nil)
        }

        @Test(
            "of each kind are decoded, odd sizes included",
            arguments: [
                PictureBytes.jpeg(1001, 333), PictureBytes.jpeg(1001, 333, sampling: [0x22, 0x11, 0x11]),
                PictureBytes.jpeg(1001, 333, sampling: [0x11, 0x11, 0x11]),
                PictureBytes.misleading(1001, 333, marker: 0xD0),
                PictureBytes.webp([PictureBytes.lossless(1001, 333)]),
                PictureBytes.webp([PictureBytes.canvas(1001, 333), PictureBytes.lossless(1001, 333)]),
            ])
        func kinds(picture: [UInt8]) throws {
            let small = try #require(scaled(picture, 96))
            #expect(PictureHeader(small.bytes).map { [$0.width, $0.height] } == [96, 31])
        }

        @Test("that would take too much memory are never decoded")
        func bombs() {
            #expect(PictureHeader(PictureBytes.png(60000, 60000))?.width == 60000)
            #expect(PictureScaler(PictureBytes.png(60000, 60000), edge: 96) == nil)
            #expect(PictureHeader(PictureBytes.png(Int(UInt32.max), 1)) == nil)
            #expect(PictureHeader(PictureBytes.png(0, 5)) == nil)
            #expect(PictureScaler(PictureBytes.misleading(12_000, 12_000, marker: 0xD0), edge: 96) == nil)
            #expect(PictureScaler(PictureBytes.png(5000, 5000, depth: 16, colours: 6), edge: 96) == nil)
            #expect(PictureScaler(PictureBytes.webp([PictureBytes.lossless(5000, 5000)]), edge: 96) == nil)
            #expect(PictureScaler(PictureBytes.png(5000, 5000, colours: 6), edge: 96) != nil)
        }

        /// The most memory that the process had of its own since it began to do something, in mebibytes more.
        private func growth(while body: () -> Void) throws -> Int {
            func field(_ name: String) throws -> Int {
                let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
                let line = try #require(lines.first { $0.hasPrefix(name) })
                return Int(line.split(separator: " ").dropLast().last ?? line.suffix(0)) ?? 0
            }
            try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
            let before = try field("VmRSS:")
            body()
            return (try field("VmHWM:") - before) / 1024
        }

        @Test("that are larger than their header says get no memory to be decoded")
        func lies() throws {
            let honest = PictureBytes.jpeg(200, 200)
            _ = scaled(honest, 96)
            for (picture, kind) in [
                (PictureBytes.jpeg(12_000, 12_000), PictureHeader.Kind.jpeg),
                (PictureBytes.webp([PictureBytes.lossless(16_000, 16_000)]), .webp),
            ] {
                // As if the reader of headers had been deceived.
                let header = try #require(
                    PictureHeader(
                        kind, 200, 200, cost: PictureCost(frame: 100_000), parts: [0..<picture.count]))
                var found: (bytes: [UInt8], mimeType: String)?
                let taken = try growth { found = PictureScaler(picture, header, edge: 96).scaled() }
                #expect(found == nil)
                #expect(taken < 40, "it took \(taken) MiB")
            }
        }

        @Test("that are damaged or none at all are given up")
        func damage() throws {
            #expect(scaled([], 96) == nil)
            #expect(scaled(Array("<svg/>".utf8), 96) == nil)
            #expect(scaled(PictureBytes.png(500, 500), 96) == nil)
            let jpeg = try #require(scaled(DemoCover.png(), 200)).bytes
            for length in [3, 20, 200, jpeg.count / 2] {
                // Half of a JPEG may be shown; it is never waited for.
                _ = scaled(Array(jpeg.prefix(length)), 96)
            }
            var endless = Array(jpeg.prefix(2))
            for _ in 0..<1000 { endless += [0xFF, 0xE0, 0, 0] }
            #expect(PictureHeader(endless) == nil)
            let webp = Array("RIFF0000WEBPVP8X".utf8)
            for length in 0..<40 { _ = PictureHeader(webp + [UInt8](repeating: 255, count: length)) }
        }
    }
}
