import Foundation
import SoundSamples
import Testing

@testable import AudioFiles

@Suite
struct TrackHeaderTests {
    private static let kinds = [
        "-lame.mp3", "-ffmpeg.mp3", "-plain.mp3", "-edits.m4a", "-note.m4a", "-alac.m4a", ".mpc", ".opus",
    ]

    private func bytes(_ kind: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: CutSound.path("a", kind))))
    }

    @Test(
        "the ends are read from MP3 and MP4 headers",
        arguments: [
            ("-lame.mp3", 1105), ("-ffmpeg.mp3", 1105), ("-edits.m4a", 1024), ("-note.m4a", 1024),
            ("-alac.m4a", 0),
        ])
    func reads(kind: String, skip: Int64) throws {
        let header = TrackHeader.read(HeaderBytes(try bytes(kind)))
        #expect(header.trim == TrackTrim(skip: skip, frames: Int64(CutSound.cut), rate: 44100))
        #expect(!header.patches.isEmpty)
    }

    @Test("files that say nothing have nothing to trim", arguments: ["-plain.mp3", ".opus"])
    func readsNothing(kind: String) throws {
        #expect(TrackHeader.read(HeaderBytes(try bytes(kind))) == TrackHeader())
    }

    @Test("Musepack is known by its name, behind tags too")
    func musepack() throws {
        let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 20)
        #expect(TrackHeader.read(HeaderBytes(try bytes(".mpc"))) == TrackHeader(isMusepack: true))
        #expect(TrackHeader.read(HeaderBytes(tag + (try bytes(".mpc")))) == TrackHeader(isMusepack: true))
        #expect(TrackHeader.read(HeaderBytes(tag + Array("MP+\u{7} of version 7".utf8))).isMusepack)
    }

    @Test("a file cut short anywhere is read without harm", arguments: kinds)
    func truncated(kind: String) throws {
        let whole = try bytes(kind)
        let expected = TrackHeader.read(HeaderBytes(whole))
        for length in stride(from: 0, to: whole.count, by: 37) {
            let header = TrackHeader.read(HeaderBytes(Array(whole[..<length])))
            #expect(header.trim == nil || header.trim?.skip == expected.trim?.skip)
        }
    }

    @Test("hostile bytes are read without harm and in little time", arguments: kinds)
    func hostile(kind: String) throws {
        var bytes = try bytes(kind)
        var state: UInt64 = 88_172_645_463_325_252
        func random(_ limit: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(limit))
        }
        let tables = kind.hasSuffix("m4a") ? bytes.count - 1600..<bytes.count : 0..<1600
        for round in 0..<1500 {
            let saved = bytes
            for _ in 0..<(1 + random(6)) {
                let place = round.isMultiple(of: 2) ? random(700) : tables.lowerBound + random(tables.count)
                bytes[place] = [0, 1, 0x7F, 0x80, 0xFF, UInt8(random(256))][random(6)]
            }
            var reads = 0
            let header = TrackHeader.read(
                HeaderBytes(size: round.isMultiple(of: 3) ? nil : Int64(bytes.count)) { offset, count in
                    reads += 1
                    return HeaderBytes(bytes).bytes(at: offset, count: min(count, 1 << 20))
                })
            #expect(reads < 30_000)
            if let trim = header.trim { #expect(trim.skip >= 0 && (trim.frames ?? 1) > 0 && trim.rate > 0) }
            #expect(header.patches.allSatisfy { $0.offset >= 0 && $0.bytes.count <= 9 })
            bytes = saved
        }
    }

    @Test("boxes within boxes without end are given up")
    func endless() {
        var bytes = Array("\0\0\0\u{14}ftypM4A \0\0\0\0M4A ".utf8)
        bytes += Array("\0\u{1}\u{11}\u{8}moov".utf8)
        for _ in 0..<9000 { bytes += Array("\0\0\0\u{8}trak".utf8) }
        #expect(TrackHeader.read(HeaderBytes(bytes)) == TrackHeader())
    }

    @Test("a Xing header that counts only the first of several joined files doesn't end the song")
    func joined() throws {
        let one = try bytes("-lame.mp3")
        var rest: [UInt8] = []
        while rest.count < 300_000 { rest += one }
        let header = TrackHeader.read(HeaderBytes(one + rest))
        #expect(header.trim == TrackTrim(skip: 1105, frames: nil, rate: 44100))
    }
}
