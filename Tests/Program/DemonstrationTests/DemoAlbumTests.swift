import AudioFiles
import Foundation
import MusicModel
import SoundSamples
import Testing

@testable import Demonstration

@Suite(.timeLimit(.minutes(2)))
struct DemoAlbumTests {
    private func values(_ file: ScannedFile, _ tag: MusicModel.Tag) -> [String] {
        file.tags.filter { $0.tag == tag }.map(\.value)
    }

    @Test("the demo albums have tracks with tags in several formats, pictures and timed lyrics, and are made once")
    func demoAlbum() throws {
        let folder = TemporaryFolder()
        let root = try DemoAlbum.make(in: folder.path)
        let files = try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
        let songs = files.filter { AudioFileReader.supportedSuffixes.contains(($0 as NSString).pathExtension) }
        #expect(songs.count >= 8)
        #expect(Set(songs.map { ($0 as NSString).pathExtension }).count >= 4)
        let covers = try files.filter { $0.hasSuffix("/cover.png") }.map { path in
            try Data(contentsOf: URL(fileURLWithPath: root + "/" + path))
        }
        #expect(Set(covers).count == 3)
        #expect(files.contains { $0.hasSuffix("Paper Boats/01 - Paper Boats.lrc") })
        for song in songs {
            let file = try AudioFileReader.read(path: root + "/" + song)
            let parts = song.split(separator: "/").map(String.init)
            #expect(values(file, .artist).first == parts[0], "\(song)")
            #expect(values(file, .album) == [parts[1]], "\(song)")
            #expect(values(file, .title).count == 1, "\(song)")
            #expect((file.duration ?? .zero) > .seconds(20), "\(song)")
            if !song.hasSuffix(".wav") {
                #expect(values(file, .track).first.map { Int($0) } == Int(parts[2].prefix(2)), "\(song)")
            }
        }
        #expect(try DemoAlbum.make(in: folder.path) == root)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: root).sorted() == files)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    }
}
