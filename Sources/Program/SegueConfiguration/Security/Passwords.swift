import Foundation
package import MusicModel

extension SectionReader {
    /// Reads a secret for another server: from `key`, from the file that `key_file` names, or else from the service
    /// manager's credential of this name.
    package mutating func secret(_ key: String = "password", orCredential credential: String) -> Secret? {
        let written = value(key, .secret)
        let path = value("\(key)_file", .path("a file's path", home: home))
        let (isWritten, isStored) = (has(key), has("\(key)_file"))
        if isWritten, isStored { complain("\(key)_file", "\(key) and \(key)_file can't both be set; remove one") }
        if let path {
            problems.secretFiles.append(path)
            return written ?? firstLine(of: path, for: "\(key)_file")
        }
        guard !isWritten, !isStored, isPresent, let folder = directories.credentials else { return written }
        let handedOn = "\(folder)/\(credential)"
        return FileManager.default.fileExists(atPath: handedOn) ? firstLine(of: handedOn, for: key) : nil
    }

    /// The secret on a file's first line; nil where there is none, and then that is noted.
    private func firstLine(of path: String, for key: String) -> Secret? {
        guard let data = FileManager.default.contents(atPath: path) else {
            complain(key, "\(path) can't be read; check that it exists and who may read it")
            return nil
        }
        let line = String(decoding: data.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        if line.isEmpty { complain(key, "\(path) has nothing on its first line; write the password there") }
        return line.isEmpty ? nil : Secret(line)
    }
}
