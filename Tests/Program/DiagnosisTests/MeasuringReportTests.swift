import Diagnosis
import Foundation
import Testing
import UserLibrary

@Suite("The report of the measuring")
struct MeasuringReportTests {
    @Test("tells how far it is, and what can't be measured, without control characters")
    func lines() throws {
        let json = """
            {"songs": 10, "measured": 4, "failed": 1, "perHour": 10, "hoursLeft": 0.5,
             "failures": [{"path": "a\\u001b[2J.flac", "reason": "no sound", "tries": 3}]}
            """
        let found = try JSONDecoder().decode(AnalysisReport.self, from: Data(json.utf8))
        let report = MeasuringReport(measuring: found, quality: nil)
        #expect(
            report.text == """
                4 of 10 songs are measured, 1 can't be.
                At 10 songs an hour, the other 5 take 30 minutes.
                a [2J.flac: no sound (tried 3 times)
                """)
        #expect(try report.json.contains("\"measured\" : 4"))
    }
}
