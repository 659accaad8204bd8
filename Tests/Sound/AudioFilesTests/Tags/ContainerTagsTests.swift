import Foundation
import MusicModel
import Playback
import SoundSamples
import Testing

@testable import AudioFiles
@testable import Demonstration

extension AudioTests {
    @Suite("Tags in containers", .timeLimit(.minutes(2)))
    struct ContainerTagsTests {
        private static let ids = [
            "11111111-2222-3333-4444-555555555555", "21111111-2222-3333-4444-555555555555",
        ]
        private static let sheet =
            "FILE \"x\" WAVE\r\n TRACK 01 AUDIO\r\n  INDEX 01 00:00:00\r\n TRACK 02 AUDIO\r\n  INDEX 01 00:00:20\r\n"

        /// A kind of file, with its suffix and a way to put a tag into it.
        struct Container: Sendable, CustomTestStringConvertible {
            let name: String
            let suffix: String
            let file: @Sendable (_ tag: [UInt8]) -> [UInt8]
            var testDescription: String { name }
        }

        static let containers = [
            Container(name: "WAV, before the sound", suffix: ".wav") {
                ChunkBytes.wav(before: ChunkBytes.riff("note", [1, 2, 3]) + ChunkBytes.riff("ID3 ", $0))
            },
            Container(name: "WAV, behind the sound", suffix: ".wav") {
                ChunkBytes.wav(after: ChunkBytes.riff("note", [1, 2, 3]) + ChunkBytes.riff("id3 ", $0))
            },
            Container(name: "WAV, longer than the file", suffix: ".wav") {
                ChunkBytes.wav(after: ChunkBytes.riff("id3 ", $0, size: 0xFFFF_FFF0))
            },
            Container(name: "RF64", suffix: ".wav") {
                ChunkBytes.wav(after: ChunkBytes.riff("id3 ", $0), form: "RF64")
            },
            Container(name: "BW64", suffix: ".wav") {
                ChunkBytes.wav(before: ChunkBytes.riff("id3 ", $0), form: "BW64")
            },
            Container(name: "AIFF, before the sound", suffix: ".aif") {
                ChunkBytes.aiff(before: ChunkBytes.iff("NAME", [65, 66, 67]) + ChunkBytes.iff("ID3 ", $0))
            },
            Container(name: "AIFF, behind the sound", suffix: ".aiff") {
                ChunkBytes.aiff(after: ChunkBytes.iff("ID3 ", $0))
            },
            Container(name: "DSF", suffix: ".dsf") { DSDSound(bytes: 9000).dsf(tag: $0) },
            Container(name: "DSDIFF", suffix: ".dff") { DSDSound(bytes: 9000).dsdiff(DSDSound.chunk("ID3 ", $0)) },
        ]

        private func path(_ container: Container, _ tag: [UInt8], in folder: TemporaryFolder) throws -> String? {
            if container.suffix.hasPrefix(".d"), !GStreamerLibrary.has("avdemux_dsf") { return nil }
            let path = folder.file("song" + container.suffix)
            try Data(container.file(tag)).write(to: URL(filePath: path))
            return path
        }

        private func values(_ file: ScannedFile, _ tag: MusicModel.Tag) -> [String] {
            file.tags.filter { $0.tag == tag }.map(\.value)
        }

        private func tag(_ version: UInt8, _ encoding: ID3Bytes.Encoding, isUnsynchronised: Bool = false) -> ID3Bytes {
            var tag = ID3Bytes(version: version, isUnsynchronised: isUnsynchronised)
            tag.add("TIT2", "Tïtle", as: encoding)
            if version == 4 {
                tag.add("TPE1", "Ann", "Bén", as: encoding)
                tag.add("TDRC", "2004-05-06", as: encoding)
                tag.add("TDOR", "1999-01-02", as: encoding)
                tag.add("TMOO", "Calm", as: encoding)
            } else {
                tag.add("TPE1", "Ann/Bén", as: encoding)
                tag.add("TYER", "2004", as: encoding)
                tag.add("TDAT", "0605", as: encoding)
                tag.add("TORY", "1999", as: encoding)
            }
            tag.add("TRCK", "03/12", as: encoding)
            tag.add("TPE2", "Both", as: encoding)
            tag.add("TSO2", "Both, The", as: encoding)
            tag.add("TPE3", "Kim", as: encoding)
            tag.add("TPE4", "Lee", as: encoding)
            tag.add("TIT1", "Group", as: encoding)
            tag.add("TXXX", "MusicBrainz Artist Id", Self.ids[0], Self.ids[1], as: encoding)
            tag.add("TXXX", "CUESHEET", Self.sheet, as: encoding)
            tag.add("TXXX", "replaygain_track_gain", "-3.50 dB", as: encoding)
            tag.add(
                "USLT",
                [encoding.rawValue] + Array("eng".utf8) + ID3Bytes.encoded(["", "la\nla"], encoding))
            tag.addPicture(DemoCover.png())
            return tag
        }

        private func check(_ path: String, _ version: UInt8) throws {
            let file = try AudioFileReader.read(path: path)
            #expect(values(file, .title) == ["Tïtle"])
            #expect(values(file, .artist) == (version == 4 ? ["Ann", "Bén"] : ["Ann/Bén"]))
            #expect(values(file, .date) == ["2004-05-06"])
            #expect(values(file, .originalDate) == [version == 4 ? "1999-01-02" : "1999"])
            #expect(values(file, .mood) == (version == 4 ? ["Calm"] : []))
            #expect(values(file, .track) == ["3"] && values(file, .albumArtist) == ["Both"])
            #expect(values(file, .albumArtistSort) == ["Both, The"])
            #expect(values(file, .conductor) == ["Kim"] && values(file, .performer) == ["Lee"])
            #expect(values(file, .grouping) == ["Group"])
            #expect(values(file, .musicBrainzArtistID) == Self.ids)
            #expect(file.replayGain.trackGain == -3.5)
            #expect(file.cueSheet?.tracks.count == 2)
            #expect(file.hasEmbeddedPicture)
            let picture = try AudioFileReader.embeddedPicture(path: path)
            #expect(picture?.bytes == DemoCover.png() && picture?.mimeType == "image/png")
            #expect(try AudioFileReader.lyrics(path: path) == "la\nla")
        }

        @Test("All of an ID3 tag of version 2.4 is read, wherever it lies", arguments: containers)
        func version4(container: Container) throws {
            let folder = TemporaryFolder()
            guard let path = try path(container, tag(4, .utf8).bytes, in: folder) else { return }
            try check(path, 4)
        }

        @Test("Of version 2.3 likewise, where a slash divides nothing", arguments: containers)
        func version3(container: Container) throws {
            let folder = TemporaryFolder()
            guard let path = try path(container, tag(3, .utf16).bytes, in: folder) else { return }
            try check(path, 3)
        }

        @Test(
            "Each encoding says the same, also in a tag that is unsynchronised",
            arguments: ID3Bytes.Encoding.allCases, [false, true])
        func encodings(encoding: ID3Bytes.Encoding, isUnsynchronised: Bool) throws {
            let folder = TemporaryFolder()
            for version in encoding.rawValue < 2 ? [3, 4] : [4] as [UInt8] {
                let bytes = tag(version, encoding, isUnsynchronised: isUnsynchronised).bytes
                guard let path = try path(Self.containers[1], bytes, in: folder) else { return }
                try check(path, version)
            }
        }

        @Test("RIFF's own texts are read as before, before the sound and behind it, and an ID3 tag goes before them")
        func information() throws {
            let folder = TemporaryFolder()
            let path = folder.file("song.wav")
            let texts: [UInt8] = [("INAM", "Name"), ("IPRD", "Album"), ("IPRT", "05/09")].flatMap { name, text in
                ChunkBytes.riff(name, Array(text.utf8) + [0])
            }
            let list = ChunkBytes.riff("LIST", Array("INFO".utf8) + texts)
            for bytes in [ChunkBytes.wav(before: list), ChunkBytes.wav(after: list)] {
                try Data(bytes).write(to: URL(filePath: path))
                let file = try AudioFileReader.read(path: path)
                #expect(values(file, .title) == ["Name"] && values(file, .album) == ["Album"])
                #expect(values(file, .track) == ["5"])
            }
            var tag = ID3Bytes()
            tag.add("TIT2", "Title")
            tag.add("TRCK", "7")
            try Data(ChunkBytes.wav(before: list, after: ChunkBytes.riff("id3 ", tag.bytes))).write(
                to: URL(filePath: path))
            let file = try AudioFileReader.read(path: path)
            #expect(values(file, .title) == ["Title"] && values(file, .album) == ["Album"])
            #expect(values(file, .track) == ["7"])
        }

        @Test("A tag of far more frames or texts than any song has takes no time, and what comes first in it is read")
        func endless() throws {
            let folder = TemporaryFolder()
            var frames = ID3Bytes()
            var texts = ID3Bytes()
            var scrambled = ID3Bytes(version: 3, isUnsynchronised: true)
            for number in 0..<30_000 {
                if number == 0 { frames.add("TIT2", "Title") }
                frames.add("TPE1", String(number))
                scrambled.add("TPE1", String(number))
            }
            texts.add("TIT2", "Title")
            texts.add("TPE1", [3] + Array((0..<30_000).map(String.init).joined(separator: "\0").utf8))
            var genres = ID3Bytes(version: 3)
            genres.add("TIT2", "Title", as: .latin)
            genres.add("TCON", [0] + Array(String(repeating: "(12)", count: 200_000).utf8))
            for (tag, title) in [(frames, "Title"), (texts, "Title"), (scrambled, nil), (genres, "Title")] {
                let stream = Self.mp3(tag.bytes)
                try Data(stream).write(to: URL(filePath: folder.file("song.mp3")))
                var paths = [folder.file("song.mp3")]
                for container in Self.containers {
                    if let path = try path(container, tag.bytes, in: folder) { paths.append(path) }
                    guard let path = paths.last else { continue }
                    let began = ContinuousClock.now
                    let file = try AudioFileReader.read(path: path)
                    // Read frame by frame as GStreamer does it, it would take minutes.
                    #expect(ContinuousClock.now - began < .seconds(30), "\(path)")
                    #expect(title == nil || values(file, .title) == [title], "\(path)")
                    #expect(values(file, .artist).count <= 256)
                }
            }
        }

        /// Some frames of silence behind a tag.
        private static func mp3(_ tag: [UInt8]) -> [UInt8] {
            tag + (0..<200).flatMap { _ in [0xFF, 0xFB, 0x90, 0] + [UInt8](repeating: 0, count: 413) }
        }

        @Test("The texts of AIFF files are read where no tag says it, those of AIFF-C files as well")
        func textsOfAIFF() throws {
            let folder = TemporaryFolder()
            let chunks = [("NAME", "Näme"), ("AUTH", "Author"), ("ANNO", "First"), ("(c) ", "1999")].flatMap {
                ChunkBytes.iff($0, Array($1.utf8))
            }
            var tag = ID3Bytes()
            tag.add("TIT2", "Title")
            tag.add("TXXX", "CUESHEET", Self.sheet)
            for suffix in [".aif", ".aifc"] {
                let path = folder.file("song" + suffix)
                try Data(ChunkBytes.aiff(before: chunks, kind: suffix)).write(to: URL(filePath: path))
                var file = try AudioFileReader.read(path: path)
                #expect(values(file, .title) == ["Näme"] && values(file, .artist) == ["Author"])
                #expect(values(file, .comment) == ["First"])
                try Data(ChunkBytes.aiff(before: chunks, after: ChunkBytes.iff("ID3 ", tag.bytes), kind: suffix)).write(
                    to: URL(filePath: path))
                file = try AudioFileReader.read(path: path)
                #expect(values(file, .title) == ["Title"] && file.cueSheet?.tracks.count == 2)
            }
            #expect(AudioFileReader.supportedSuffixes.contains("aifc"))
        }

        @Test("A sheet with one track is kept, and one that divides the file goes before it")
        func oneTrack() {
            let one = CueSheet(tag: "FILE x WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00")
            #expect(one?.tracks.count == 1 && CueSheet(tag: "nothing") == nil)
            #expect(CueSheet.preferred([nil, one, CueSheet(tag: Self.sheet)])?.tracks.count == 2)
            #expect(CueSheet.preferred([nil, one]) == one && CueSheet.preferred([nil]) == nil)
        }

        @Test(
            "So it is in files of more than 2 GiB and of more than 4 GiB, whose tags are read",
            arguments: ["RIFF", "RF64", "BW64"], [3, 5] as [Int64])
        func largeWaves(form: String, gibibytes: Int64) throws {
            guard form != "RIFF" || gibibytes < 4 else { return }
            let folder = TemporaryFolder()
            let path = folder.file("1.wav")
            let sound = gibibytes << 30
            var tag = ID3Bytes()
            tag.add("TIT2", "Title")
            let head = Array(ChunkBytes.wav(form: form, size: Int(sound)).dropLast(ChunkBytes.sound.count))
            try Data(head).write(to: URL(filePath: path))
            let end = Int64(head.count) + sound
            #expect(truncate(path, off_t(end)) == 0)
            let handle = try FileHandle(forWritingTo: URL(filePath: path))
            try handle.seekToEnd()
            try handle.write(contentsOf: ChunkBytes.riff("id3 ", tag.bytes))
            try handle.close()
            let file = try AudioFileReader.read(path: path)
            #expect(values(file, .title) == ["Title"] && file.format?.channels == 2)
            let seconds = Double(sound) / 176_400
            #expect(file.duration.map { abs($0 / .seconds(1) - seconds) < 0.001 } == true)
            let feed = try TrackFeed(TrackFile(completePath: path, suffix: "wav", size: end + 1000))
            try feed.readHeader()
            #expect(feed.size == end)
            var buffer = [UInt8](repeating: 1, count: 100)
            let outcome = buffer.withUnsafeMutableBytes { feed.read(at: end - 40, into: $0, isPartial: false) }
            #expect(outcome == .bytes(40) && buffer[39] == 0 && buffer[40] == 1)
            #expect(buffer.withUnsafeMutableBytes { feed.read(at: end, into: $0, isPartial: false) } == .end)
        }

        @Test("Sizes that can't be right leave out the tag and nothing else", arguments: containers)
        func hostile(container: Container) throws {
            let folder = TemporaryFolder()
            var endless = ID3Bytes()
            endless.add("TIT2", [3, 65], size: 0x0FFF_FFFF)
            let heads: [[UInt8]] = [
                [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F], [3, 0, 0x80, 0x7F, 0x7F, 0x7F, 0x7F], [4, 0, 0x40, 0, 0, 0, 1],
                [4, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF], [2, 0, 0, 0, 0, 0, 0], [9, 9, 9, 9, 9, 9, 9],
            ]
            let id: [UInt8] = Array("ID3".utf8)
            var tags: [[UInt8]] = heads.map { id + $0 + [0, 0] }
            tags += [[], id, endless.bytes]
            // An empty chunk at the end of an AIFF file hangs GStreamer's parser now and then.
            for tag in tags where !(container.suffix.hasPrefix(".ai") && tag.isEmpty) {
                guard let path = try path(container, tag, in: folder) else { return }
                let file = try AudioFileReader.read(path: path)
                #expect(values(file, .artist).isEmpty && !file.hasEmbeddedPicture && file.format?.channels == 2)
            }
        }

        @Test("The pointer of a DSF file that leads anywhere gives no tag")
        func pointers() {
            var bytes = DSDSound(bytes: 9000).dsf(tag: ID3Bytes().bytes)
            #expect(ID3Frames.place(in: HeaderBytes(bytes)) != nil)
            for place in [0, 28, bytes.count - 1, bytes.count, .max, -1] {
                bytes.replaceSubrange(20..<28, with: ChunkBytes.little(place, 8))
                #expect(ID3Frames.place(in: HeaderBytes(bytes)) == nil)
            }
        }

        @Test("Chunks end with the file and are no more than 256, whatever they say")
        func chunks() {
            func names(_ bytes: [UInt8]) -> [String]? { SoundChunks(HeaderBytes(bytes))?.chunks.map(\.name) }
            let head = Array("RIFF....WAVE".utf8)
            #expect(names(Array("RIFF....AVI ".utf8)) == nil && names([]) == nil)
            #expect(names(head) == [])
            #expect(names(head + ChunkBytes.riff("odd ", [1]) + ChunkBytes.riff("next", [])) == ["odd ", "next"])
            #expect(names(head + ChunkBytes.riff("long", [1, 2], size: 0xFFFF_FFFF)) == ["long"])
            #expect(names(head + Array("cut ".utf8) + [1, 0]) == [])
            #expect(names(head + (0..<9000).flatMap { _ in ChunkBytes.riff("none", []) })?.count == 256)
            // The size of sound that is too long for 32 bits stands elsewhere, and may be anything as well.
            for size in [2, -1, Int.max] {
                let long = ChunkBytes.riff("ds64", ChunkBytes.little(0, 8) + ChunkBytes.little(size, 8))
                let data = ChunkBytes.riff("data", [1, 2], size: 0xFFFF_FFFF) + ChunkBytes.riff("next", [])
                #expect(names(Array("RF64....WAVE".utf8) + long + data)?.last == (size == 2 ? "next" : "data"))
            }
        }
    }
}
