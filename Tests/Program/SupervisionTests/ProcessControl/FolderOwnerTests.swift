import Foundation
import Testing

@testable import Supervision

@Suite("The owner of the state")
struct FolderOwnerTests {
    @Test("a folder of this user's own, and one that does not exist, leave the process as it is")
    func own() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "segue-owner-\(UUID())").path
        let user = geteuid()
        #expect(try FolderOwner.become(of: folder) == false)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try FolderOwner.become(of: folder) == false)
        #expect(geteuid() == user)
    }
}
