import Foundation
import MPDCommands
import MPDProtocol
import MusicModel
import NetworkAddresses
import Testing

@testable import MediaLookup

@Suite("Playlists and listings of folders")
struct OutsideFileTests {
    private let reader = OutsideFileReader(
        RemotePlaylists(hosts: PlaylistHosts(allowed: HostList())))

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "segue-outside-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test("in a storage of another machine a link leads to nothing outside of that storage")
    func linksOfOthers() async throws {
        try await withFolder { folder in
            let path = folder.path
            let files = FileManager.default
            for name in ["volume/albums", "private", "storages"] {
                try files.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
            }
            for place in ["volume/albums", "private"] {
                try Data("a.flac\n".utf8).write(to: URL(filePath: "\(path)/\(place)/list.m3u"))
            }
            for (link, target) in [
                ("storages/nas", "volume"), ("volume/out", "private"), ("volume/in", "volume/albums"),
                ("volume/out.m3u", "private/list.m3u"), ("volume/in.m3u", "volume/albums/list.m3u"),
                ("volume/\u{301}comb", "private"),
            ] {
                try files.createSymbolicLink(atPath: "\(path)/\(link)", withDestinationPath: "\(path)/\(target)")
            }
            LinkBoundary.keep("\(path)/storages")
            let nas = "\(path)/storages/nas"
            #expect(try await reader.contents(folder: nas)?.map(\.name) == ["albums"])
            #expect(try await reader.contents(folder: "\(nas)/in")?.map(\.name) == ["list.m3u"])
            #expect(try await reader.contents(folder: "\(nas)/out") == nil)
            #expect(try await reader.contents(folder: "\(nas)/../../private") == nil)
            #expect(try await reader.playlist(file: "\(nas)/in.m3u", ofLibrary: true) != nil)
            #expect(try await reader.playlist(file: "\(nas)/out.m3u", ofLibrary: true) == nil)
            #expect(try await reader.playlist(file: "\(nas)/out/list.m3u", ofLibrary: true) == nil)
            // A slash and a mark behind it are one character, but not for the system.
            #expect(try await reader.contents(folder: "\(nas)/\u{301}comb") == nil)
            #expect(try await reader.playlist(file: "\(nas)/\u{301}comb/list.m3u", ofLibrary: true) == nil)
            #expect(try await reader.playlist(file: "\(path)/private/list.m3u", ofLibrary: true) != nil)
        }
    }

    @Test("a playlist's bytes are read; one that isn't there, and a folder, are none")
    func playlists() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "list.m3u").path
            #expect(try await reader.playlist(file: path, ofLibrary: true) == nil)
            try Data("a.flac\n".utf8).write(to: URL(filePath: path))
            #expect(try await reader.playlist(file: path, ofLibrary: true) == Array("a.flac\n".utf8))
            #expect(try await reader.playlist(file: folder.path, ofLibrary: true) == nil)
        }
    }

    @Test("a playlist of the library that is a link to another place is none; one of a client that may read it is one")
    func linked() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "music"), withIntermediateDirectories: true)
            let (secret, link) = (folder.appending(path: "secret.m3u"), folder.appending(path: "music/list.m3u"))
            try Data("password".utf8).write(to: secret)
            symlink(secret.path, link.path)
            #expect(try await reader.playlist(file: link.path, ofLibrary: true) == nil)
            #expect(try await reader.playlist(file: link.path, ofLibrary: false) != nil)
        }
    }

    @Test("a playlist of more than 4 MiB is refused")
    func tooLarge() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "list.m3u").path
            try Data(count: 4 << 20 + 1).write(to: URL(filePath: path))
            let error = await #expect(throws: AckError.self) { try await reader.playlist(file: path, ofLibrary: true) }
            #expect(error == AckError(.system, "The playlist is too large"))
        }
    }

    @Test("a folder's files and folders are listed by their bytes, without links")
    func listing() async throws {
        try await withFolder { folder in
            for name in ["b.txt", "B.txt", "ä.txt"] { try Data([1, 2]).write(to: folder.appending(path: name)) }
            try FileManager.default.createDirectory(
                at: folder.appending(path: "a"), withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "link"), withDestinationURL: folder.appending(path: "b.txt"))
            let entries = try #require(try await reader.contents(folder: folder.path))
            #expect(entries.map(\.name) == ["B.txt", "a", "b.txt", "ä.txt"])
            #expect(entries.map(\.size) == [2, nil, 2, 2])
            #expect(try await reader.contents(folder: folder.path + "/none") == nil)
        }
    }
}
