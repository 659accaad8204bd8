import Diagnosis
import Foundation
import TestSupport
import Testing

@testable import NetworkStorages

@Suite("Checking network storages", .enabled(if: testsEverything))
struct StorageChecksTests {
    @Test("storages that clients mounted need GVfs's backends for their schemes, and its FUSE daemon")
    func backends() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "segue-storages-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        func make(_ name: String) throws {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: file)
            chmod(file.path, 0o755)
        }
        func finding(_ backends: Set<String>) -> Finding? {
            NetworkStoragesExtension.finding(for: backends, in: folder.path)
        }
        #expect(finding([]) == nil)
        let nothing = try #require(finding(["smb", "davs"]))
        #expect(nothing.level == .failure && nothing.text.contains("mounts davs, smb."))
        #expect(nothing.text.contains("gvfs-backends and gvfs-fuse"))
        for name in ["smb", "dav"] { try make("share/gvfs/mounts/\(name).mount") }
        let withoutFolders = try #require(finding(["smb", "davs"]))
        #expect(withoutFolders.level == .failure && withoutFolders.text.contains("Install gvfs-fuse,"))
        try make("libexec/gvfsd-fuse")
        #expect(finding(["smb", "davs"])?.level == .ok)
        #expect(finding(["sftp"])?.text.contains("Install gvfs-backends,") == true)
    }
}
