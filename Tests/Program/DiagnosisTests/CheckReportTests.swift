@testable import Diagnosis
import Foundation
import SegueConfiguration
import Testing

@Suite("The report of checks")
struct CheckReportTests {
    @Test("counts what must be mended and what could be better")
    func counts() {
        var report = CheckReport()
        report.isPrinting = false
        report.good("a", "fine")
        report.warn("b", "hm")
        report.bad("c", "no")
        #expect(report.failures == 1 && report.warnings == 1 && report.findings.count == 3)
        #expect(report.findings.map(CheckReport.line) == ["ok   a: fine", "warn b: hm", "FAIL c: no"])
    }

    @Test("a report for others names the version and the machine, then the findings and the configuration")
    func text() throws {
        var report = CheckReport()
        report.isPrinting = false
        report.bad("c", "no")
        let configuration = try Configuration.parse(
            "[[server.password]]\npassword = \"hunter2\"\npermissions = [\"read\"]", file: "segue.toml",
            environment: ["HOME": "/home/me"])
        let text = report.text(version: "1.2", configuration)
        #expect(text.hasPrefix("Segue 1.2, "))
        #expect(text.contains("\n\nFAIL c: no\n\n[server]\nlisten = 127.0.0.1:6600\n"))
        #expect(text.contains("\npassword = (secret)\npermissions = read\n") && !text.contains("hunter2"))
    }

    @Test("a music folder that can't be read is a failure with the system's reason")
    func folders() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "segue-music-\(UUID())").path
        let missing = ConfigurationChecks.musicFolder(folder)
        #expect(missing.level == .failure && missing.text.contains("No such file or directory"))
        try Data().write(to: URL(filePath: folder))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(ConfigurationChecks.musicFolder(folder).text.contains("Not a directory"))
        #expect(ConfigurationChecks.musicFolder(FileManager.default.temporaryDirectory.path).level == .ok)
    }
}
