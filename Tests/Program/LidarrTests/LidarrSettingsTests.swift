import Diagnosis
import Foundation
import MusicModel
import SegueConfiguration
import TestSupport
import Testing

@testable import Lidarr

@Suite("[lidarr]", .enabled(if: testsEverything))
struct LidarrSettingsTests {
    private static let section = "[lidarr]\nurl = \"http://127.0.0.1:8686/\"\n"

    private func parse(_ text: String) throws -> Configuration {
        try Configuration.parse(
            text, file: "segue.toml", environment: ["HOME": "/home/me"], extensions: LidarrExtension.sections)
    }

    @Test("is nothing unless it is written, and needs an address and a key")
    func values() throws {
        #expect(try parse("")[LidarrSettings.self] == nil)
        var expected = LidarrSettings(url: "http://127.0.0.1:8686", key: Secret("k"))
        expected.rootFolder = "/music"
        let text = Self.section + "api_key = \"k\"\nroot_folder = \"/music\""
        #expect(try parse(text)[LidarrSettings.self] == expected)
        let error = try #require(throws: ConfigurationError.self) { try parse(Self.section) }
        #expect("\(error)".contains("lidarr.api_key: missing"))
    }

    @Test("warns of a file with the key that others can read")
    func keyFile() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "segue-key-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (mode, isOpen) in [(0o644, true), (0o600, false)] {
            try Data("secret\n".utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let configuration = try parse(Self.section + "api_key_file = \"\(path)\"")
            #expect(configuration[LidarrSettings.self]?.key.reveal() == "secret")
            #expect(configuration.securityWarnings().contains { $0.hasPrefix(path) } == isOpen)
        }
    }

    @Test("a Lidarr that refuses the key is a failure in its own words")
    func check() async throws {
        let server = try await RawServer.start()
        server.answer(.page([], status: "401 No"))
        var report = CheckReport()
        report.isPrinting = false
        let text = "[lidarr]\nurl = \"\(server.url)\"\napi_key = \"k\""
        await LidarrExtension.check(try parse(text), SystemChecks(SystemPlaces(environment: [:])), &report)
        #expect(report.findings.map(\.level) == [.failure] && report.findings[0].text.contains("key"))
        await server.stop()
    }
}
