import InProcessServer
import Logging
import MPDSessions
import NIOHTTP1
import ServerLoop
import Testing
import WebServer

@testable import WebAPI

@Suite("Whether clients can connect")
struct ReadinessTests {
    @ServerActor
    @Test("a server is ready while it accepts clients, and says so by its status, too")
    func readiness() async throws {
        let library = try await TemporaryLibrary(songs: 0)
        let inside = InProcessServer(library: library.library)
        let web = WebInterface(
            WebParts(
                context: inside.context, server: inside.server, passwords: PasswordGate([]),
                sessions: SessionStore(path: nil), files: PageFiles(), facts: WebFacts()),
            hub: IdleHub(), log: Logger(label: "test"))
        let request = try HTTPRequest(.GET, "/readyz")
        #expect(await web.answer(to: request).status == .serviceUnavailable)
        try await inside.server.listen(on: [.tcp(host: "127.0.0.1", port: 0)])
        #expect(await web.answer(to: request).status == .ok)
        await inside.server.shutDown()
        #expect(await web.answer(to: request).status == .serviceUnavailable)
        inside.close()
        try library.close()
    }
}
