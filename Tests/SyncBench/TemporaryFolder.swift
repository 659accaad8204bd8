package import Foundation

/// A folder that is gone when the test is.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// Makes one.
    package init() throws {
        path = NSTemporaryDirectory() + "segue-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, with the folders it needs.
    package func write(_ name: String, _ text: String = "music", modified: TimeInterval? = nil) throws {
        let file = "\(path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        if let modified {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: modified)], ofItemAtPath: file)
        }
    }

    package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

    package func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: "\(path)/\(name)", toPath: "\(path)/\(other)")
    }

    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }
}
