import Foundation
import Testing

@testable import SegueConfiguration

@Suite("Files that only their owner may read")
struct PrivateFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "segue-files-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func mode(of path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test("credentials come back as they were written, from a file with the rights 0600")
    func credentials() throws {
        try withFolder { folder in
            let path = folder.appending(path: "credentials.toml").path
            let written = CredentialsFile(
                url: "https://music.example.org/\"quoted\"", username: "Zoë", salt: "s\\alt", token: "0123")
            try written.write(to: path)
            let read = try #require(try CredentialsFile.read(from: path))
            #expect(read.url == written.url)
            #expect(read.username == written.username)
            #expect(read.salt == written.salt)
            #expect(read.token == written.token)
            #expect(try mode(of: path) == 0o600)
        }
    }

    @Test("a file that others could read is replaced by one that they can't")
    func replaces() throws {
        try withFolder { folder in
            let path = folder.appending(path: "session").path
            try Data("old".utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            try PrivateFile.write("new", to: path)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
            #expect(try mode(of: path) == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["session"])
        }
    }

    @Test("credentials that can't be understood are an error that says what helps", arguments: ["", "url = 1", "["])
    func damaged(text: String) throws {
        try withFolder { folder in
            let path = folder.appending(path: "credentials.toml").path
            try Data(text.utf8).write(to: URL(filePath: path))
            let error = #expect(throws: StateFileError.self) { try CredentialsFile.read(from: path) }
            #expect(try #require(error).message.contains("segue login"))
        }
    }

    @Test("a session's token counts for its server and its user only")
    func session() throws {
        try withFolder { folder in
            let path = folder.appending(path: "session").path
            try SessionFile(path: path, url: "http://a", username: "me").keep("token")
            #expect(SessionFile(path: path, url: "http://a", username: "me").token == "token")
            #expect(SessionFile(path: path, url: "http://b", username: "me").token == nil)
            #expect(SessionFile(path: path, url: "http://a", username: "you").token == nil)
        }
    }

    @Test("credentials that can't be read are not taken for missing ones, and the system's reason is kept")
    func unreadable() throws {
        try withFolder { folder in
            // A folder can't be read as a file, not even by root.
            let error = #expect(throws: StateFileError.self) { try CredentialsFile.read(from: folder.path) }
            let message = try #require(error).message
            #expect(message.hasPrefix("can't read \(folder.path): "))
            #expect(try CredentialsFile.read(from: folder.appending(path: "none").path) == nil)
        }
    }

    @Test("a session that can't be kept is an error which names the file")
    func unwritable() throws {
        try withFolder { folder in
            let path = folder.appending(path: "none/session").path
            let file = SessionFile(path: path, url: "http://a", username: "me")
            let error = #expect(throws: StateFileError.self) { try file.keep("token") }
            let message = try #require(error).message
            #expect(message.contains(path) && message.contains("No such file or directory"))
        }
    }
}
