import Foundation
import SegueConfiguration
import Testing

@Suite("What is stored on this machine")
struct StoredDataTests {
    /// Runs a body with a state and a cache directory.
    private func withDirectories(_ body: (String, String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "segue-stored-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["state", "cache/tracks"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        try body("\(folder)/state", "\(folder)/cache")
    }

    @Test("is listed with its size and removed, and what others put there stays")
    func removed() throws {
        try withDirectories { state, cache in
            try Data(count: 3 << 19).write(to: URL(filePath: "\(cache)/tracks/song"))
            try Data("a".utf8).write(to: URL(filePath: "\(state)/segue.db"))
            try Data("b".utf8).write(to: URL(filePath: "\(state)/notes.txt"))
            try FileManager.default.createSymbolicLink(
                atPath: "\(state)/session", withDestinationPath: "/nowhere/at/all")
            let stored = StoredData(stateDirectory: state, cacheDirectory: cache)
            #expect(
                stored.items.map { "\($0.path.dropFirst(state.count - 5)) \($0.shownSize)" }.sorted()
                    == ["cache/tracks 1.5 MiB", "state/segue.db 1 bytes", "state/session 15 bytes"])
            #expect(!stored.hasCredentials)
            try stored.remove()
            #expect(!FileManager.default.fileExists(atPath: cache))
            #expect(try FileManager.default.contentsOfDirectory(atPath: state) == ["notes.txt"])
            #expect(StoredData(stateDirectory: state, cacheDirectory: cache).items.isEmpty)
        }
    }

    @Test("a configuration without a source, or without its login, is told what to do")
    func missing() throws {
        try withDirectories { state, _ in
            func advice(_ text: String) throws -> String? {
                let configuration = try Configuration.parse(text, file: "segue.toml", environment: ["HOME": "/home/me"])
                return configuration.missingSource(try StateDirectory(creating: state))
            }
            #expect(try advice("")?.contains("segue login URL USER") == true)
            #expect(try advice("[local]\nmusic_directory = \"/music\"") == nil)
            let server = "[navidrome]\nurl = \"http://127.0.0.1:4533\"\nusername = \"me\""
            #expect(try advice(server)?.contains("no password for me") == true)
            #expect(try advice(server + "\npassword = \"x\"") == nil)
            let file = CredentialsFile(url: "http://127.0.0.1:4533", username: "me", salt: "a", token: "b")
            try file.write(to: "\(state)/credentials.toml")
            #expect(try advice(server) == nil)
            #expect(StoredData(stateDirectory: state, cacheDirectory: state).hasCredentials)
        }
    }
}
