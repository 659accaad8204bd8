import MusicModel
import SoundSamples
import Testing

@testable import AudioFiles

@Suite("MP4's tags with names of their own")
struct MP4CommentsTests {
    private static func box(_ name: String, _ body: [UInt8], size: Int? = nil) -> [UInt8] {
        ChunkBytes.big(size ?? body.count + 8, 4) + Array(name.utf8) + body
    }

    private static func text(_ text: String, kind: UInt8 = 1) -> [UInt8] {
        box("data", [0, 0, 0, kind, 0, 0, 0, 0] + Array(text.utf8))
    }

    private static func item(_ name: String, _ values: [UInt8], meaning: String = "com.apple.iTunes") -> [UInt8] {
        box(
            "----",
            box("mean", [0, 0, 0, 0] + Array(meaning.utf8)) + box("name", [0, 0, 0, 0] + Array(name.utf8)) + values)
    }

    private static func file(_ items: [UInt8]) -> MP4Comments {
        let list = box("meta", [0, 0, 0, 0] + box("ilst", items))
        return MP4Comments(HeaderBytes(box("ftyp", [1, 2, 3, 4]) + box("moov", box("udta", list))))
    }

    @Test("All values are read, of tags that iTunes' scheme names")
    func values() {
        let sheet = "FILE \"x\" WAVE\n TRACK 01 AUDIO\n  INDEX 01 00:00:00\n TRACK 02 AUDIO\n  INDEX 01 00:00:20"
        let found = Self.file(
            Self.item("MusicBrainz Artist Id", Self.text("a") + Self.text("ä")) + Self.box("soaa", Self.text("T"))
                + Self.item("Other", Self.text("x"), meaning: "org.example") + Self.item("Cuesheet", Self.text(sheet))
                + Self.item("Bytes", Self.text("x", kind: 0)))
        #expect(
            found.items.map { [$0.name, $0.value] } == [
                ["MUSICBRAINZ ARTIST ID", "a"], ["MUSICBRAINZ ARTIST ID", "ä"], ["CUESHEET", sheet],
            ])
        #expect(found.cueSheet?.tracks.count == 2)
    }

    @Test("Sizes that can't be right give what was read before them")
    func hostile() {
        let whole = Self.item("MOOD", Self.text("Calm"))
        for size in [0, 1, 7, 0xFFFF_FFFF] {
            let found = Self.file(whole + Self.item("LABEL", Self.box("data", [0, 0, 0, 1], size: size)))
            #expect(found.items.map { [$0.name, $0.value] } == [["MOOD", "Calm"]])
            #expect(Self.file(whole + Self.box("----", whole, size: size)).items.first?.value == "Calm")
        }
        let many = (0..<1000).flatMap { _ in Self.text("x") }
        #expect(Self.file(Self.item("MOOD", many)).items.count == 256)
        let large = Self.text(String(repeating: "x", count: 1 << 20))
        #expect(Self.file(Self.item("MOOD", (0..<6).flatMap { _ in large })).items.count == 4)
        #expect(Self.file(Self.item("MOOD", Self.text(String(repeating: "x", count: 1 << 20 + 1)))).items.isEmpty)
        #expect(MP4Comments(HeaderBytes([])).items.isEmpty)
    }
}
