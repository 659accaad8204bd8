import Glibc
import ServerLoop
import TestSupport
import Testing

@testable import Supervision

@Suite("Reports to the service manager")
@ServerActor
struct ManagerReportTests {
    /// What the server would say of itself.
    @ServerActor
    private final class Server {
        var sentence = "Stopped"
    }

    @Test("the first sentence comes with the readiness, and another one when it has changed")
    func sentences() async throws {
        let name = "@segue-report-\(getpid())"
        let manager = try Manager(name)
        let server = Server()
        let report = ManagerReport(
            ServiceNotifier(environment: ["NOTIFY_SOCKET": name]), watchdog: nil, pause: .milliseconds(1))
        await report.run { server.sentence }
        #expect(manager.message == "READY=1\nSTATUS=Stopped")
        server.sentence = "Playing Air"
        report.changed()
        report.changed()
        #expect(await eventually { manager.message == "STATUS=Playing Air" })
        #expect(manager.message == nil)
    }

    @Test("without a manager nothing is asked of the server")
    func alone() async {
        let report = ManagerReport(ServiceNotifier(environment: [:]), watchdog: nil)
        await report.run {
            Issue.record("nothing listens")
            return ""
        }
        report.changed()
    }
}
