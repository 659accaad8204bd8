import Foundation
import Testing

@testable import SegueConfiguration

@Suite("The state directory")
struct StateDirectoryTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "segue-state-\(UUID())/a/b").path

    @Test("is made for its owner alone, and one process at a time may serve from it")
    func locks() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        var first: StateDirectory? = try StateDirectory(creating: path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        #expect(try first?.takeLock() == true)
        let second = try StateDirectory(creating: path)
        #expect(try !second.takeLock())
        first = nil
        #expect(try second.takeLock())
    }

    @Test("that can't be made is an error that names the folder and the key")
    func impossible() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "segue-file-\(UUID())").path
        try Data().write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let error = #expect(throws: StateFileError.self) { try StateDirectory(creating: file + "/state") }
        let message = try #require(error).message
        #expect(message.contains(file + "/state"))
        #expect(message.contains("server.state_directory"))
    }
}
