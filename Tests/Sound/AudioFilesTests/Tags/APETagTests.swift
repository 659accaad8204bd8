import Foundation
import MusicModel
import SoundSamples
import Testing

@testable import AudioFiles
@testable import Demonstration

/// The bytes of an APEv2 tag.
struct APEBytes {
    var items: [UInt8] = []
    var count = 0

    init(_ texts: [(String, String)] = []) { for (name, text) in texts { add(name, Array(text.utf8)) } }

    mutating func add(_ name: String, _ value: [UInt8], flags: Int = 0, size: Int? = nil) {
        items += Self.little(size ?? value.count) + Self.little(flags) + Array(name.utf8) + [0] + value
        count += 1
    }

    func head(_ flags: Int, length: Int? = nil, count: Int? = nil) -> [UInt8] {
        Array("APETAGEX".utf8) + Self.little(2000) + Self.little(length ?? items.count + 32)
            + Self.little(count ?? self.count) + Self.little(flags) + Self.little(0) + Self.little(0)
    }

    /// Items and footer, as MPD wants them at least.
    var bytes: [UInt8] { items + head(0) }

    static func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}

extension AudioTests {
    @Suite("APE tags", .timeLimit(.minutes(2)))
    struct APETagTests {
        private static let texts = [
            ("Title", "Tïtle"), ("Artist", "One\0Two"), ("Album Artist", "Both"), ("ALBUMARTISTSORT", "Both, The"),
            ("Year", "2004-05-06"), ("Track", "03/12"), ("Disc", "2"), ("DiscSubtitle", "Live"),
            ("Conductor", "Kim"), ("Mood", "Calm"),
            ("Performer", "Ann\0Ben"), ("Movement", "Fast"), ("Label", "Quiet"), ("Work", "Sonata"),
            ("MUSICBRAINZ_ALBUMID", "21111111-2222-3333-4444-555555555555"),
            ("MUSICBRAINZ_ARTISTID", "a\0b"), ("Nothing of MPD's", "x"), ("replaygain_track_gain", "-3.50 dB"),
            ("REPLAYGAIN_ALBUM_PEAK", "0.5"), ("Lyrics", "la\nla"),
            ("Cuesheet", "FILE \"x\" WAVE\n TRACK 01 AUDIO\n  INDEX 01 00:00:00\n TRACK 02 AUDIO\n  INDEX 01 00:00:20"),
        ]
        private static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 1, 2, 3]

        private static func fixture(_ kind: String) -> String { CutSound.path("a", kind) }

        /// A file of a kind with the tag at its end.
        private func file(_ kind: String, in folder: TemporaryFolder, _ tag: [UInt8]) throws -> String? {
            let path = folder.file("sound" + kind)
            if kind == ".wv" {
                guard DemoEncoder.isAvailable(DemoEncoder.wavpack) else { return nil }
                let noise = TestSound.noise(frames: 44100)
                try DemoEncoder.encode(noise, as: DemoEncoder.wavpack, tags: DemoTags(title: "Other"), to: path)
            } else {
                let original = Self.fixture(kind == ".mp3" ? "-plain.mp3" : kind)
                try FileManager.default.copyItem(atPath: original, toPath: path)
            }
            try Data(try Data(contentsOf: URL(filePath: path)) + tag).write(to: URL(filePath: path))
            return path
        }

        @Test(
            "All that MPD takes from an APE tag is read, and the picture, words and cue sheet with it",
            arguments: [".wv", ".ape", ".mpc", ".mp3"])
        func reads(kind: String) throws {
            var tag = APEBytes(Self.texts)
            tag.add("Cover Art (Front)", Array("Cover.png\0".utf8) + Self.picture, flags: 2)
            let folder = TemporaryFolder()
            guard kind != ".mpc" || GStreamerLibrary.has("musepackdec"),
                let path = try file(kind, in: folder, tag.bytes)
            else { return }
            let file = try AudioFileReader.read(path: path)
            func values(_ tag: MusicModel.Tag) -> [String] { file.tags.filter { $0.tag == tag }.map(\.value) }
            #expect(values(.title) == ["Tïtle"] && values(.artist) == ["One", "Two"])
            #expect(values(.albumArtist) == ["Both"] && values(.albumArtistSort) == ["Both, The"])
            #expect(values(.date) == ["2004-05-06"] && values(.track) == ["3"] && values(.disc) == ["2"])
            #expect(values(.discSubtitle) == ["Live"])
            #expect(values(.conductor) == ["Kim"] && values(.mood) == ["Calm"] && values(.work) == ["Sonata"])
            #expect(values(.performer) == ["Ann", "Ben"] && values(.label) == ["Quiet"])
            #expect(values(.movement) == ["Fast"] && values(.musicBrainzArtistID) == ["a", "b"])
            #expect(values(.musicBrainzAlbumID) == ["21111111-2222-3333-4444-555555555555"])
            #expect(file.replayGain.trackGain == -3.5 && file.replayGain.albumPeak == 0.5)
            #expect(file.cueSheet?.tracks.count == 2)
            #expect(file.hasEmbeddedPicture)
            let picture = try AudioFileReader.embeddedPicture(path: path)
            #expect(picture?.bytes == Self.picture && picture?.mimeType == "image/png")
            #expect(try AudioFileReader.lyrics(path: path) == "la\nla")
        }

        @Test("The tag is found behind its header, before an ID3v1 tag, and at the beginning")
        func places() {
            let tag = APEBytes([("Mood", "Calm")])
            let sound = [UInt8](repeating: 9, count: 500)
            let old = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
            let whole = tag.head(0xA000_0000) + tag.items + tag.head(0x8000_0000)
            for bytes in [sound + tag.bytes, sound + whole, sound + whole + old, whole + sound] {
                #expect(APETag(HeaderBytes(bytes))?.items.map { [$0.name, $0.value] } == [["MOOD", "Calm"]])
            }
            #expect(APETag(HeaderBytes(sound)) == nil)
        }

        @Test("A number stands for the movement where its name has an item of its own")
        func movements() {
            let tag = APETag(HeaderBytes(APEBytes([("MOVEMENT", "2"), ("MOVEMENTNAME", "Slow")]).bytes))
            #expect(
                tag.map(TagMapping.values(of:)) == [TagValue(.movementNumber, "2"), TagValue(.movement, "Slow")])
        }

        @Test("An ID3 tag goes first, and the APE tag adds what it lacks")
        func both() throws {
            guard DemoEncoder.isAvailable(DemoEncoder.mp3) else { return }
            let folder = TemporaryFolder()
            let path = folder.file("both.mp3")
            try DemoEncoder.encode(
                TestSound.noise(frames: 44100), as: DemoEncoder.mp3, tags: DemoTags(title: "New", artists: ["A"]),
                to: path)
            let tag = APEBytes([("Mood", "Calm"), ("Conductor", "Kim\0Lee")])
            try (try Data(contentsOf: URL(filePath: path)) + tag.bytes).write(to: URL(filePath: path))
            let tags = try AudioFileReader.read(path: path).tags
            #expect(tags.contains(TagValue(.title, "New")) && tags.contains(TagValue(.mood, "Calm")))
            #expect(tags.filter { $0.tag == .artist } == [TagValue(.artist, "A")])
        }

        @Test("Sizes and numbers that can't be right give what was read before them")
        func hostile() {
            var tag = APEBytes([("Mood", "Calm")])
            tag.add("Title", Array("x".utf8), size: 0xFFFF_FFFF)
            let kept = [["MOOD", "Calm"]]
            #expect(APETag(HeaderBytes(tag.bytes))?.items.map { [$0.name, $0.value] } == kept)
            // As many items as 32 bits hold.
            let one = APEBytes([("Mood", "Calm")])
            let counted = APETag(HeaderBytes(one.items + one.head(0, count: 0xFFFF_FFFF)))
            #expect(counted?.items.map { [$0.name, $0.value] } == kept)
            for length in [0, 31, 32, 0x7FFF_FFFF, 0xFFFF_FFFF] {
                let bytes = one.items + one.head(0, length: length)
                #expect(APETag(HeaderBytes(bytes))?.items.isEmpty != false)
            }
            // Longer than the file, overlapping the sound: what looks like items there is bounded by the tag's end.
            let overlapping = [UInt8](repeating: 1, count: 300) + one.items + one.head(0, length: 320)
            #expect(APETag(HeaderBytes(overlapping))?.items.isEmpty == true)
            var many = APEBytes()
            for _ in 0..<5000 { many.add("Mood", [0x41]) }
            #expect(APETag(HeaderBytes(many.bytes))?.items.count == 4096)
            var large = APEBytes()
            for _ in 0..<6 { large.add("Mood", [UInt8](repeating: 0x41, count: 1 << 20)) }
            #expect(APETag(HeaderBytes(large.bytes))?.items.count == 4)
        }

        @Test("A picture that is none, or larger than any, is not given out")
        func hostilePictures() throws {
            let folder = TemporaryFolder()
            let values: [[UInt8]] = [[], [0], Array("name".utf8), Array("name\0no picture".utf8)]
            for value in values {
                var tag = APEBytes()
                tag.add("Cover Art (Front)", value, flags: 2)
                let path = folder.file("x.wv")
                try Data(tag.bytes).write(to: URL(filePath: path))
                #expect(EmbeddedPicture.read(path: path) == nil)
            }
        }
    }
}
