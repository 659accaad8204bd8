import Foundation
import Logging
import NetworkAddresses
import Playback
import Testing

@testable import MediaLookup

@Suite("A program that finds streams")
struct StreamProgramTests {
    /// Runs a script as the program for an address and gives what it found.
    private func streams(
        _ script: String, at url: String = "https://video.example/watch?v=1", timeout: Duration = .seconds(10)
    ) async throws -> [String]? {
        let folder = FileManager.default.temporaryDirectory.appending(path: "segue-program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "program").path
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        let program = StreamProgram(
            ResolverSettings(command: [path, "--first", "a b"], hosts: ["video.example"], timeout: timeout),
            log: Logger(label: "test"))
        #expect(program.takes(url))
        return await StreamResolver(
            playlists: RemotePlaylists(hosts: PlaylistHosts(allowed: HostList())), program: program
        ).streams(inPlaylist: url)
    }

    @Test("It gets its arguments and the address, and its lines that are addresses are the streams")
    func found() async throws {
        let script = """
            echo "https://media.example/$#/$1/$2/${3#https://}" | tr ' ' +
            echo not an address; echo file:///etc/passwd; echo; echo http://media.example/second
            """
        #expect(
            try await streams(script) == [
                "https://media.example/3/--first/a+b/video.example/watch?v=1", "http://media.example/second",
            ])
    }

    @Test("An address is no text of a shell")
    func noShell() async throws {
        let found = try await streams("echo http://m/$#/${3##*/}", at: "https://video.example/$(reboot);'&x")
        #expect(found == ["http://m/3/$(reboot);'&x"])
    }

    // contrib/test runs with some.
    @Test("It sees no setting of ours, and of its input nothing")
    func surroundings() async throws {
        #expect(try await streams("cat; echo http://m/$(env | grep -c ^SEGUE_)") == ["http://m/0"])
    }

    @Test(
        "A program that fails, hangs, prints without an end or isn't there finds nothing", .timeLimit(.minutes(1)),
        arguments: [
            "echo http://m/1; exit 3", "sleep 600 & sleep 600", "while :; do echo http://m/xxxxxxxxxxxxxxxxxxxxx; done",
            "kill -9 $$", "exec /nowhere",
        ])
    func failures(script: String) async throws {
        let timeout = Duration.milliseconds(script.hasPrefix("sleep") ? 100 : 30_000)
        #expect(try await streams(script, timeout: timeout) == [])
    }

    @Test("Only addresses of its hosts, and of those below them, are for it")
    func hosts() {
        let program = StreamProgram(
            ResolverSettings(command: ["true"], hosts: ["video.example", "pod.example"]), log: Logger(label: "test"))
        for url in ["https://video.example/x", "http://www.VIDEO.example:8080/", "https://pod.example"] {
            #expect(program.takes(url), "\(url)")
        }
        for url in [
            "https://example/x", "https://notvideo.example/", "https://video.example.evil/", "file:///video.example",
            "https://evil/?video.example", "https://evil#@video.example", "https://video.example@evil/", "-x",
            "https://video.example/" + String(repeating: "x", count: 5000),
        ] {
            #expect(!program.takes(url), "\(url)")
        }
    }
}
