import Foundation
import MusicModel
import Testing

@testable import GStreamerAudio

extension AudioTests {
    /// Tags as their writers meant them, in the formats of which GStreamer takes them otherwise.
    @Suite(.timeLimit(.minutes(2)))
    struct OwnTagsTests {
        private static let tags = [
            "title": "T", "artist": "A", "album_artist": "AA", "album": "Al", "genre": "G", "composer": "C",
            "track": "3/9", "date": "ca. 1720", "REPLAYGAIN_TRACK_GAIN": "-6.50 dB",
        ]

        private func make(_ suffix: String, _ codec: [String], _ tags: [String: String], in folder: TemporaryFolder)
            throws -> String
        {
            let path = folder.file("song." + suffix)
            let texts = tags.sorted { $0.key < $1.key }.flatMap { ["-metadata", "\($0.key)=\($0.value)"] }
            try Encoded.ffmpeg(["-f", "lavfi", "-i", "sine=d=1", "-ac", "2"] + codec + texts + [path])
            return path
        }

        private func values(_ file: ScannedFile, _ tag: MusicModel.Tag) -> [String] {
            file.tags.filter { $0.tag == tag }.map(\.value)
        }

        @Test(
            "each name has its own tag, whatever container it stands in",
            arguments: [
                ("mka", ["-c:a", "flac"]), ("webm", ["-c:a", "libopus"]), ("wma", ["-c:a", "wmav2"]),
                ("flac", []), ("ogg", ["-c:a", "libvorbis"]), ("opus", ["-c:a", "libopus"]),
                ("oga", ["-c:a", "flac", "-f", "ogg"]), ("m4a", ["-c:a", "aac"]),
            ] as [(String, [String])])
        func names(suffix: String, codec: [String]) throws {
            let folder = TemporaryFolder()
            let file = try AudioFileReader.read(path: try make(suffix, codec, Self.tags, in: folder))
            let expected: [(MusicModel.Tag, String)] = [
                (.title, "T"), (.artist, "A"), (.albumArtist, "AA"), (.album, "Al"), (.genre, "G"), (.composer, "C"),
                (.track, "3"), (.date, "ca. 1720"),
            ]
            for (tag, value) in expected { #expect(values(file, tag) == [value], "\(tag)") }
            #expect(values(file, .disc).isEmpty)
            if suffix != "m4a" { #expect(file.replayGain.trackGain == -6.5) }
        }

        @Test("dates are told as they stand there", arguments: ["25.05.1999", "1999-2001", "19990525", "1999-05"])
        func dates(date: String) throws {
            for (suffix, codec) in [("flac", []), ("m4a", ["-c:a", "aac"]), ("mp3", [])] as [(String, [String])] {
                let folder = TemporaryFolder()
                let path = try make(suffix, codec, ["date": date], in: folder)
                #expect(values(try AudioFileReader.read(path: path), .date) == [date], "\(suffix)")
            }
        }

        @Test("of two tags in one file one counts, and values are not added up")
        func twoTags() throws {
            let folder = TemporaryFolder()
            let own = ["title": "Own", "artist": "V", "ORIGINALDATE": "1999-05-01", "ORIGINALYEAR": "1999"]
            let path = try make("flac", [], own, in: folder)
            var tag = ID3Bytes()
            tag.add("TIT2", "Other")
            tag.add("TPE1", "I")
            tag.add("TCON", "G")
            try Data(tag.bytes + [UInt8](try Data(contentsOf: URL(filePath: path)))).write(to: URL(filePath: path))
            let file = try AudioFileReader.read(path: path)
            #expect(values(file, .title) == ["Own"] && values(file, .artist) == ["V"] && values(file, .genre).isEmpty)
            #expect(values(file, .originalDate) == ["1999-05-01"])
        }

        @Test("a comment that lies on many pages of Ogg hides none of the others", arguments: ["ogg", "opus"])
        func longComment(suffix: String) throws {
            let folder = TemporaryFolder()
            let tags = ["A": String(repeating: "x", count: 100_000), "TITLE": "T", "ZZ": "z", "DATE": "c. 1600"]
            let path = try make(suffix, ["-c:a", suffix == "ogg" ? "libvorbis" : "libopus"], tags, in: folder)
            let comments = try #require(VorbisComments(path: path))
            #expect(comments.items.first { $0.name == "A" }?.value.utf8.count == 100_000)
            #expect(comments.items.first { $0.name == "ZZ" }?.value == "z")
            #expect(values(try AudioFileReader.read(path: path), .date) == ["c. 1600"])
        }

        @Test(
            "genres of ID3 are told by their names",
            arguments: [
                ("(RX)", ["Remix"]), ("(CR)", ["Cover"]), ("(13)", ["Pop"]), ("(13)Pop", ["Pop"]), ("17", ["Rock"]),
                ("(13)(17)Mine", ["Pop", "Rock", "Mine"]), ("(255)", ["Unknown"]), ("((odd) one", ["(odd) one"]),
                ("(live)", ["(live)"]), ("1984", ["1984"]), ("", []),
            ] as [(String, [String])])
        func genres(text: String, expected: [String]) { #expect(ID3Genre.names(text) == expected) }

        @Test("the front cover is shown, wherever it stands among the pictures, and else the first of them")
        func front() throws {
            let folder = TemporaryFolder()
            func picture(_ type: UInt8, _ name: String) -> [UInt8] {
                [0] + Array("image/jpeg".utf8) + [0, type, type, 0, 0xFF, 0xD8, 0xFF] + Array(name.utf8)
            }
            let sound = [UInt8](
                try Data(contentsOf: URL(filePath: try make("mp3", ["-id3v2_version", "0"], [:], in: folder))))
            for (types, expected) in [([4, 3], "3"), ([3, 4], "3"), ([4, 0], "4")] as [([UInt8], String)] {
                var tag = ID3Bytes()
                for type in types { tag.add("APIC", picture(type, String(type))) }
                let path = folder.file("pictures.mp3")
                try Data(tag.bytes + sound).write(to: URL(filePath: path))
                let bytes = try #require(try AudioFileReader.embeddedPicture(path: path)).bytes
                #expect(String(decoding: bytes.dropFirst(3), as: UTF8.self) == expected)
            }
        }

        @Test("tags cut off anywhere are read without harm", arguments: ["mka", "wma", "ogg", "flac"])
        func torn(suffix: String) throws {
            let folder = TemporaryFolder()
            let path = try make(suffix, suffix == "ogg" ? ["-c:a", "libvorbis"] : [], Self.tags, in: folder)
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)).prefix(9000))
            for length in stride(from: 0, to: bytes.count, by: 41) {
                let source = HeaderBytes(Array(bytes[..<length]))
                _ = (VorbisComments(source), MatroskaTags(source), ASFTags(source), MatroskaHeader.read(source))
            }
            var state: UInt32 = 7
            for _ in 0..<300 {
                var torn = bytes
                for _ in 0..<4 {
                    state = state &* 1_664_525 &+ 1_013_904_223
                    torn[Int(state >> 8) % torn.count] = UInt8(truncatingIfNeeded: state)
                }
                let source = HeaderBytes(torn)
                _ = (VorbisComments(source), MatroskaTags(source), ASFTags(source), MatroskaHeader.read(source))
            }
        }
    }
}
