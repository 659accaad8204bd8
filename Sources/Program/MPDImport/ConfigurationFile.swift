import Foundation
import SegueConfiguration

/// A configuration file that is read and replaced as a text.
enum ConfigurationFile {
    /// The file's text.
    static func text(of path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path) else { throw MPDImportError("can't read \(path).") }
        return String(decoding: data, as: UTF8.self)
    }

    /// The keys that a file sets, with their values as they stand there.
    static func settings(in text: String) -> [(key: String, value: String)] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix("[") && line.hasSuffix("]") { return nil }
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
        }
    }

    /// Copies a file in its folder, under a free name.
    static func keepCopy(of path: String) throws -> String {
        for number in 1...100 {
            let copy = path + ".before-mpd" + (number > 1 ? ".\(number)" : "")
            guard !FileManager.default.fileExists(atPath: copy) else { continue }
            try write(try text(of: path), to: copy, like: path)
            return copy
        }
        throw MPDImportError("there are 100 copies of \(path); remove some.")
    }

    /// Writes a text for this user alone, or with the rights of the file that it replaces or of another one.
    ///
    /// - Parameters:
    ///   - model: the file whose owner and rights it gets; nil is itself.
    ///   - stateDirectory: a new file of root's can be read by the group of this folder, whose service is to read it.
    static func write(
        _ text: String, to path: String, like model: String? = nil, stateDirectory: String? = nil
    ) throws {
        // A link stays one.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let new = path + ".new"
        do {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        } catch {
            throw MPDImportError("can't write \(path): \(systemMessage(error))")
        }
        unlink(new)
        let isMade = FileManager.default.createFile(
            atPath: new, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        guard isMade else { throw MPDImportError("can't write \(path).") }
        var status = stat()
        if stat(model ?? path, &status) == 0 {
            // In this order: a new owner takes rights away.
            _ = chown(new, status.st_uid, status.st_gid)
            _ = chmod(new, status.st_mode & 0o777)
        } else if geteuid() == 0, let stateDirectory, stat(stateDirectory, &status) == 0, status.st_uid != 0 {
            _ = chown(new, 0, status.st_gid)
            _ = chmod(new, 0o640)
        }
        guard rename(new, path) == 0 else {
            throw MPDImportError("can't write \(path): \(String(cString: strerror(errno)))")
        }
    }
}
