import Diagnosis
import Foundation
import Logging
import SegueConfiguration
import Subsonic
import Testing
import TestSupport

@Suite("Checking what the configuration names")
struct ConfigurationChecksTests {
    private struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The lines for a configuration whose folders are in a temporary one.
    private func lines(
        _ text: String = "", settingsReport: String? = nil,
        server: @escaping @Sendable () throws -> SubsonicClient? = { nil }, failure: String? = nil,
        missing: [Finding] = []
    ) async throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "segue-checks-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let folders = """
            [server]
            state_directory = "\(folder)/state"
            cache_directory = "\(folder)/cache"

            """
        let configuration = try Configuration.parse(
            folders + text, file: "segue.toml", environment: ["HOME": folder])
        var report = CheckReport()
        report.isPrinting = false
        let checks = ConfigurationChecks(
            configuration, settingsReport: settingsReport, server: server, audio: { (failure, missing) })
        await checks.run(&report)
        return report.findings.map(CheckReport.line)
    }

    @Test("without a server, everything can be well, and the tier says what works")
    func local() async throws {
        let lines = try await lines()
        #expect(lines.contains("ok   navidrome: not_configured: no [navidrome] in the configuration"))
        #expect(lines.contains("ok   tier: local: only music folders of this machine"))
        #expect(lines.contains("ok   audio: every codec and output is available"))
        #expect(!lines.contains { $0.hasPrefix("FAIL") })
        #expect(!lines.contains { $0.hasPrefix("ok   settings") })
    }

    @Test("what was set on the page is named")
    func settings() async throws {
        #expect(try await lines(settingsReport: "a has b").contains("ok   settings: a has b"))
    }

    @Test("a server that answers is named, with the number of its songs")
    func connected() async throws {
        let server = try await FakeNavidrome.start(songs: 7)
        let settings = SubsonicSettings(
            url: server.url, username: "admin", credential: .password("secret"),
            retries: .init(count: 1, firstDelay: .milliseconds(1), maxDelay: .milliseconds(20)))
        let text = "[navidrome]\nurl = \"\(server.url)\"\nusername = \"admin\"\npassword = \"secret\""
        let client = { @Sendable in SubsonicClient(settings, log: Logger(label: "test")) }
        let lines = try await lines(text, server: client)
        #expect(lines.contains { $0.hasPrefix("ok   navidrome: connected: connected to Navidrome") })
        #expect(lines.contains("ok   navidrome: 7 songs"))
        #expect(lines.contains("ok   tier: live: everything is live"))
        await server.stop()
        let after = try await self.lines(text, server: client)
        #expect(after.contains { $0.hasPrefix("FAIL navidrome: unreachable: ") })
        #expect(after.contains { $0.hasPrefix("ok   tier: degraded: ") })
    }

    @Test("a server that lists songs only by albums is a warning, and one that lists none of what it counts a failure")
    func lists() async throws {
        var options = FakeOptions()
        options.findsAll = false
        let server = try await FakeNavidrome.start(songs: 7, options: options)
        let settings = SubsonicSettings(url: server.url, username: "admin", credential: .password("secret"))
        let text = "[navidrome]\nurl = \"\(server.url)\"\nusername = \"admin\"\npassword = \"secret\""
        let client = { @Sendable in SubsonicClient(settings, log: Logger(label: "test")) }
        let lines = try await lines(text, server: client)
        #expect(lines.contains { $0.hasPrefix("warn navidrome: an empty search finds no songs") })
        server.libraries = []
        let after = try await self.lines(text, server: client)
        #expect(after.contains { $0.hasPrefix("FAIL navidrome: the server reports 7 songs, but lists none") })
        await server.stop()
    }

    @Test("what can't be asked is a failure in the words of the part that was asked")
    func failures() async throws {
        let lines = try await lines(
            """
            [server.tls]
            certificate = "/c.pem"
            key = "/k.pem"
            [navidrome]
            """, server: { throw Failure(description: "run segue login") }, failure: "GStreamer does not start")
        #expect(lines.contains("FAIL navidrome: run segue login"))
        #expect(lines.contains { $0.hasPrefix("FAIL certificate: ") && $0.contains("/c.pem") })
        #expect(lines.contains("FAIL audio: GStreamer does not start"))
        #expect(!lines.contains { $0.contains("every codec") })
    }

    @Test("a missing codec is a warning, and a failure where nothing plays without it")
    func codecs() async throws {
        let lines = try await lines(missing: [
            Finding("audio", .failure, "all playback needs decodebin"),
            Finding("audio", .warning, "FLAC needs flacdec"),
        ])
        #expect(lines.contains("FAIL audio: all playback needs decodebin"))
        #expect(lines.contains("warn audio: FLAC needs flacdec"))
    }
}
