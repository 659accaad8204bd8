import Coordination
import Foundation
import MusicModel
import SoundSamples
import Testing

@testable import AudioFiles
@testable import Demonstration

extension DemoEncoder {
    static let wavpack = Format(suffix: "wv", pipeline: "wavpackenc", takesPicture: false)
}

extension AudioTests {
    @Suite(.timeLimit(.minutes(2)))
    struct FileTests {
        static let formats = [
            DemoEncoder.flac, DemoEncoder.vorbis, DemoEncoder.opus, DemoEncoder.mp3, DemoEncoder.m4a,
            DemoEncoder.wavpack,
            DemoEncoder.wav,
        ]

        private func encode(_ format: DemoEncoder.Format, _ tags: DemoTags, in folder: TemporaryFolder) throws -> String
        {
            let path = folder.file("sound." + format.suffix)
            try DemoEncoder.encode(TestSound.noise(frames: 44100), as: format, tags: tags, to: path)
            guard format.suffix == "wv" else { return path }
            // GStreamer writes no tags into WavPack, whose files carry them at their end.
            let texts = [
                ("Title", tags.title), ("Artist", tags.artists.joined(separator: "\0")), ("Album", tags.album),
                ("Genre", tags.genres.joined(separator: "\0")), ("Track", "\(tags.track)"),
                ("Year", "\(tags.date.year)"),
            ]
            let file = URL(filePath: path)
            try (Data(contentsOf: file) + Data(APEBytes(texts).bytes)).write(to: file)
            return path
        }

        private func values(_ file: ScannedFile, _ tag: MusicModel.Tag) -> [String] {
            file.tags.filter { $0.tag == tag }.map(\.value)
        }

        @Test("tags are read from every format", arguments: formats.map(\.suffix))
        func tags(suffix: String) throws {
            guard GStreamerLibrary.failure == nil, let format = Self.formats.first(where: { $0.suffix == suffix }),
                DemoEncoder.isAvailable(format)
            else { return }
            let folder = TemporaryFolder()
            let tags = DemoTags(
                title: "Tïtle", artists: ["One"], album: "Album", genres: ["Rock"], track: 3, trackCount: 12,
                date: (2004, 5, 6))
            let file = try AudioFileReader.read(path: try encode(format, tags, in: folder))
            #expect(values(file, .title) == ["Tïtle"])
            #expect(values(file, .artist) == ["One"])
            #expect(values(file, .album) == ["Album"])
            #expect(values(file, .genre) == ["Rock"])
            if suffix != "wav" { #expect(values(file, .track) == ["3"]) }
            #expect(values(file, .date).first?.hasPrefix("2004") == true)
            let length: Double = (file.duration ?? .zero) / .seconds(1)
            #expect(abs(length - 1) < 0.1)
            #expect(file.format?.channels == 2)
            #expect(file.format?.sampleRate == (suffix == "opus" ? 48000 : 44100))
        }

        @Test("several values of a tag stay several, in their order", arguments: ["flac", "ogg", "opus", "mp3"])
        func severalValues(suffix: String) throws {
            guard let format = Self.formats.first(where: { $0.suffix == suffix }), DemoEncoder.isAvailable(format)
            else { return }
            let folder = TemporaryFolder()
            let tags = DemoTags(
                title: "T", artists: ["Zed", "Amy"], albumArtist: "Both", composer: "C", genres: ["Rock", "Jazz"],
                disc: 2)
            let file = try AudioFileReader.read(path: try encode(format, tags, in: folder))
            #expect(values(file, .artist) == ["Zed", "Amy"])
            #expect(values(file, .genre) == ["Rock", "Jazz"])
            #expect(values(file, .albumArtist) == ["Both"])
            #expect(values(file, .composer) == ["C"])
            #expect(values(file, .disc) == ["2"])
            #expect(file.tags.map(\.tag.rawValue) == file.tags.map(\.tag.rawValue).sorted())
        }

        @Test("MusicBrainz ids, sort names, ReplayGain and a picture are read", arguments: ["flac", "mp3"])
        func more(suffix: String) throws {
            guard let format = Self.formats.first(where: { $0.suffix == suffix }), DemoEncoder.isAvailable(format)
            else { return }
            let folder = TemporaryFolder()
            let id = "a74b1b7f-71a5-4011-9441-d0b5e4122711"
            var tags = DemoTags(title: "T", artists: ["A"], picture: DemoCover.png())
            tags.others = [
                ("musicbrainz-artistid", id), ("musicbrainz-albumid", id), ("musicbrainz-trackid", id),
                ("artist-sortname", "A, the"),
            ]
            tags.fractions = [("replaygain-track-gain", -7.5), ("replaygain-track-peak", 0.75)]
            let path = try encode(format, tags, in: folder)
            let file = try AudioFileReader.read(path: path)
            #expect(values(file, .musicBrainzArtistID) == [id])
            #expect(values(file, .musicBrainzAlbumID) == [id])
            #expect(values(file, .musicBrainzTrackID) == [id])
            #expect(values(file, .artistSort) == ["A, the"])
            #expect(abs((file.replayGain.trackGain ?? 0) + 7.5) < 0.01)
            #expect(abs((file.replayGain.trackPeak ?? 0) - 0.75) < 0.01)
            #expect(file.hasEmbeddedPicture)
            let picture = try #require(try AudioFileReader.embeddedPicture(path: path))
            #expect(picture.mimeType == "image/png")
            #expect(picture.bytes == DemoCover.png())
        }

        @Test("what is not readable audio is refused with a sentence")
        func refuses() throws {
            let folder = TemporaryFolder()
            let text = folder.file("text.mp3")
            try Data("this is a text, not a song\n".utf8).write(to: URL(fileURLWithPath: text))
            try Data().write(to: URL(fileURLWithPath: folder.file("empty.flac")))
            try Data(DemoCover.png()).write(to: URL(fileURLWithPath: folder.file("picture.ogg")))
            for name in ["text.mp3", "empty.flac", "picture.ogg", "absent.wav", ""] {
                let error = #expect(throws: AudioFileError.self) { try AudioFileReader.read(path: folder.file(name)) }
                #expect(error?.message.isEmpty == false)
                #expect(error?.message.contains(folder.path) == false)
            }
        }

        @Test("line feeds and control characters in tags become spaces")
        func cleans() {
            #expect(TagReader.clean("a\nb\u{0}c ") == "a b c")
            #expect(TagReader.clean(" \n\t ") == nil)
            #expect(TagReader.clean("ümlaut") == "ümlaut")
        }

        @Test("the suffixes and the list of decoders agree")
        func decoders() {
            #expect(
                AudioFileReader.supportedSuffixes.isSuperset(of: ["flac", "mp3", "ogg", "opus", "m4a", "wav", "wv"]))
            #expect(AudioFileReader.decoderList.allSatisfy { !$0.suffixes.isEmpty && !$0.mimeTypes.isEmpty })
        }
    }
}
