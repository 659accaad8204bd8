import Foundation
import Supervision
import Testing

@Suite("The session's bus")
struct SessionBusTests {
    @Test("is where the variables say, and nowhere without them")
    func session() throws {
        #expect(SessionBus.address([:]) == nil)
        #expect(SessionBus.address(["XDG_RUNTIME_DIR": "/nowhere"]) == nil)
        #expect(SessionBus.address(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a"]) == "unix:path=/a")
        let folder = URL.temporaryDirectory.appending(path: "segue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data().write(to: folder.appending(path: "bus"))
        #expect(
            SessionBus.address(["XDG_RUNTIME_DIR": folder.path()])?.hasSuffix("/bus") == true)
    }
}
