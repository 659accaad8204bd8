import Foundation
import MusicModel
import SoundSamples
import Testing

@testable import AudioFiles

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
            let comments = try #require(HeaderBytes.reading(path) { VorbisComments($0) })
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

        @Test("a picture is sent whatever its tag says of its type, and however it ends the description")
        func typeless() throws {
            let folder = TemporaryFolder()
            let sound = [UInt8](
                try Data(contentsOf: URL(filePath: try make("mp3", ["-id3v2_version", "0"], [:], in: folder))))
            let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
            let avif: [UInt8] = [0, 0, 0, 0x1C] + Array("ftypavif".utf8) + [UInt8](repeating: 0, count: 400)
            func frame(_ encoding: UInt8, _ type: String, _ kind: UInt8, _ rest: [UInt8]) -> [UInt8] {
                [encoding] + Array(type.utf8) + [0, kind] + rest
            }
            let frames: [([UInt8], [UInt8], String)] = [
                (frame(0, "", 3, [0] + jpeg), jpeg, "image/jpeg"), (frame(0, "JPG", 0, [0] + jpeg), jpeg, "image/jpeg"),
                (frame(0, "image/png", 200, [0] + jpeg), jpeg, "image/jpeg"),
                (frame(1, "image/jpeg", 3, [0] + jpeg), jpeg, "image/jpeg"),
                (frame(1, "image/jpeg", 3, [0xFF, 0xFE, 65, 0, 0, 0] + jpeg), jpeg, "image/jpeg"),
                (frame(9, "image/jpeg", 3, [0] + jpeg), jpeg, "image/jpeg"),
                (frame(0, "image/avif", 3, [0] + avif), avif, "image/avif"),
                (frame(0, "image/x-own", 3, [0, 1, 2, 3, 4]), [1, 2, 3, 4], "image/x-own"),
            ]
            for (index, (frame, expected, type)) in frames.enumerated() {
                var tag = ID3Bytes()
                tag.add("APIC", frame)
                let path = folder.file("picture.mp3")
                try Data(tag.bytes + sound).write(to: URL(filePath: path))
                let found = try #require(try AudioFileReader.embeddedPicture(path: path), "\(index)")
                #expect(found.bytes == expected && found.mimeType == type, "\(index)")
                #expect(try AudioFileReader.read(path: path).hasEmbeddedPicture, "\(index)")
            }
            var tag = ID3Bytes()
            tag.add("APIC", frame(0, "-->", 3, [0] + Array("http://a/b.jpg".utf8)))
            let path = folder.file("picture.mp3")
            try Data(tag.bytes + sound).write(to: URL(filePath: path))
            #expect(try AudioFileReader.embeddedPicture(path: path) == nil)
        }

        @Test("pictures in M4A are sent whatever type their tag has", arguments: [0, 1, 12, 13, 14, 27] as [UInt8])
        func pictureInMP4(type: UInt8) throws {
            let folder = TemporaryFolder()
            func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
                ChunkBytes.big(body.count + 8, 4) + Array(name.utf8) + body
            }
            let gif = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0]
            let item = box("covr", box("data", [0, 0, 0, type, 0, 0, 0, 0] + gif))
            let tags = box("udta", box("meta", [0, 0, 0, 0] + box("ilst", item)))
            let path = try make("m4a", ["-c:a", "aac"], [:], in: folder)
            var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            // The film is the last box.
            let movie = try #require(bytes.indices.last { bytes[$0...].starts(with: Array("moov".utf8)) }) - 4
            bytes.replaceSubrange(movie..<movie + 4, with: ChunkBytes.big(bytes.count - movie + tags.count, 4))
            let own = try #require(bytes.indices.last { bytes[$0...].starts(with: Array("udta".utf8)) })
            bytes.replaceSubrange(own..<own + 4, with: Array("free".utf8))
            try Data(bytes + tags).write(to: URL(filePath: path))
            let found = try #require(try AudioFileReader.embeddedPicture(path: path))
            #expect(found.bytes == gif && found.mimeType == "image/gif")
            #expect(try AudioFileReader.read(path: path).hasEmbeddedPicture)
        }

        @Test("of several pictures in Matroska the one that is called cover is sent")
        func picturesInMatroska() throws {
            let folder = TemporaryFolder()
            let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
            let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 1]
            try Data(png).write(to: URL(filePath: folder.file("back.png")))
            try Data(jpeg).write(to: URL(filePath: folder.file("cover.jpg")))
            let path = folder.file("song.mka")
            let attached = ["back.png", "cover.jpg"].enumerated().flatMap { index, name in
                ["-attach", folder.file(name), "-metadata:s:t:\(index)", "mimetype=application/octet-stream"]
            }
            try Encoded.ffmpeg(["-f", "lavfi", "-i", "sine=d=1", "-c:a", "flac"] + attached + [path])
            let found = try #require(try AudioFileReader.embeddedPicture(path: path))
            #expect(found.bytes == jpeg && found.mimeType == "image/jpeg")
        }

        @Test("of the pictures of WMA the front cover is sent, wherever they stand")
        func picturesInASF() throws {
            let wide: (String) -> [UInt8] = { $0.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } + [0, 0] }
            func value(_ kind: UInt8, _ bytes: [UInt8]) -> [UInt8] {
                [kind] + ChunkBytes.little(bytes.count, 4) + wide("") + wide("x") + bytes
            }
            func object(_ id: [UInt8], _ body: [UInt8]) -> [UInt8] {
                id + [UInt8](repeating: 9, count: 8) + ChunkBytes.little(body.count + 24, 8) + body
            }
            let front: [UInt8] = [0xFF, 0xD8, 0xFF, 3]
            let name = wide("WM/Picture")
            let (back, cover) = (value(4, [0xFF, 0xD8, 0xFF, 4]), value(3, front))
            let one = ChunkBytes.little(1, 2)
            let more = object(
                [0x40, 0xA4, 0xD0, 0xD2, 0x07, 0xE3, 0xD2, 0x11],
                one + ChunkBytes.little(name.count, 2) + name + one + ChunkBytes.little(back.count, 2) + back)
            let library = object(
                [0x94, 0x1C, 0x23, 0x44, 0x98, 0x94, 0xD1, 0x49],
                one + [0, 0, 0, 0] + ChunkBytes.little(name.count, 2) + one + ChunkBytes.little(cover.count, 4) + name
                    + cover)
            let body = more + library
            let folder = TemporaryFolder()
            let path = folder.file("song.wma")
            try Data(
                [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11] + [UInt8](repeating: 9, count: 8)
                    + ChunkBytes.little(30 + body.count, 8) + [2, 0, 0, 0, 1, 2] + body
            ).write(to: URL(filePath: path))
            #expect(EmbeddedPicture.read(path: path)?.bytes == front)
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
