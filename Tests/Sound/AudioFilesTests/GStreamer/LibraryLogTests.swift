import CSound
import Foundation
import Testing

@testable import AudioFiles

@Suite("GLib's log")
struct LibraryLogTests {
    @Test("A complaint of a library is not written to standard error")
    func complaints() throws {
        guard GStreamerLibrary.failure == nil else { return }
        let path = FileManager.default.temporaryDirectory.appending(path: "segue-log-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (before, file) = (dup(2), open(path, O_WRONLY | O_CREAT, 0o600))
        dup2(file, 2)
        g_warn_message("segue-test", "file", 1, "function", "a complaint")
        dup2(before, 2)
        close(before)
        close(file)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("complaint") == false)
    }
}
