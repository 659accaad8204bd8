import MusicModel
import Playback
import SoundSamples
import Testing

@testable import AudioFiles

@Suite struct DSDHeaderTests {
    private let sound = DSDSound(bytes: 9001)

    private func refusal(_ bytes: [UInt8]) -> String? {
        do throws(TrackError) { _ = try DSDHeader.read(HeaderBytes(bytes)) } catch { return error.message }
        return nil
    }

    @Test("DSF and DSDIFF say the same of the same sound")
    func reads() throws {
        for bytes in [sound.dsf(), sound.dsf(isLowestBitFirst: false), sound.dsdiff()] {
            let header = try #require(try DSDHeader.read(HeaderBytes(bytes)))
            #expect((header.rate, header.channels, header.length) == (2_822_400, 2, 9001))
            #expect(header.format.wireText == "dsd64:2")
            let view = DSDView(header, as: .carrier)
            #expect(view.trim.frames == 4501 && view.size == 4501 * 6)
        }
        #expect(try DSDHeader.read(HeaderBytes([UInt8](repeating: 7, count: 200))) == nil)
    }

    @Test("a view gives the same bytes however it is read", arguments: [DSDView.Kind.carrier, .blocks])
    func views(kind: DSDView.Kind) throws {
        let source = HeaderBytes(sound.dsdiff(DSDSound.texts(title: "A title", artist: "An artist")))
        let view = DSDView(try #require(try DSDHeader.read(source)), as: kind)
        let whole = view.bytes(at: 0, count: .max >> 8) { source.bytes(at: $0, count: $1) }
        #expect(Int64(whole.count) == view.size)
        for (start, count) in [(0, 1), (79, 7), (83, 4096), (91, 5), (30_000, 60_000), (whole.count - 3, 50)] {
            let part = view.bytes(at: Int64(start), count: count) { source.bytes(at: $0, count: $1) }
            #expect(part == Array(whole[min(start, whole.count)...].prefix(count)))
        }
        #expect(view.bytes(at: view.size, count: 9) { source.bytes(at: $0, count: $1) }.isEmpty)
    }

    @Test("files that were cut off have as much as there is, and none at all is said")
    func truncated() throws {
        let dsf = Array(sound.dsf()[..<(92 + 8192 + 100)])
        #expect(try DSDHeader.read(HeaderBytes(dsf))?.length == 4096)
        let dff = Array(sound.dsdiff().dropLast(8000))
        #expect(try DSDHeader.read(HeaderBytes(dff))?.length == 9001 - 4000)
        #expect(refusal(Array(sound.dsf()[..<95])) == "it holds no sound")
        #expect(refusal(Array(sound.dsf()[..<60])) == "its header is damaged")
        #expect(refusal(Array(sound.dsdiff()[..<100])) != nil)
    }

    @Test("DST says what it is and what to do")
    func compressed() {
        #expect(refusal(sound.dsdiff(coding: "DST "))?.contains("compressed as DST") == true)
        #expect(refusal(sound.dsdiff(coding: "FLAC"))?.contains("only uncompressed") == true)
    }

    @Test("numbers that no sound has are refused", arguments: [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF])
    func hostile(number: Int) {
        for place in [52, 56, 72] where !(place == 52 && number == 1) && !(place == 72 && number == 1) {
            var bytes = sound.dsf()
            for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
            #expect(refusal(bytes) != nil, "\(number) at \(place)")
        }
        var bytes = sound.dsdiff()
        // The sizes of the form, of its first chunk and of the properties.
        for place in [4, 20, 36] {
            for index in 0..<8 { bytes[place + index] = index == 0 ? 0x80 : UInt8(truncatingIfNeeded: number) }
        }
        #expect(refusal(bytes) == "its header is damaged")
    }
}
