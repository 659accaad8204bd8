import Foundation
import MusicModel

/// Passwords of this server for others, which may stand in files of their own.
extension ConfigurationReader {
    /// Reads a password from `password`, from the file that `password_file` names, or else from the service manager's
    /// credential of this name.
    ///
    /// - Parameter key: another name for `password`, such as `api_key`.
    func readPassword(
        _ section: inout SectionReader, _ key: String = "password", orCredential credential: String
    ) -> Secret? {
        let password = section.value(key, .secret)
        let stored = section.value("\(key)_file", .passwordFile(home: directories.home))
        let (isWritten, isStored) = (section.node(key) != nil, section.node("\(key)_file") != nil)
        if isWritten, isStored {
            section.complain("\(key)_file", "\(key) and \(key)_file can't both be set; remove one")
        }
        return isWritten || isStored ? password ?? stored : readCredential(credential, for: section, as: key)
    }

    /// Reads a secret that the service manager handed on; `key` is the one that it stands for.
    private func readCredential(_ name: String, for section: SectionReader, as key: String) -> Secret? {
        guard section.isPresent, let folder = directories.credentials else { return nil }
        let path = "\(folder)/\(name)"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return try PasswordFile.firstLine(of: path)
        } catch {
            section.complain(key, error.message)
            return nil
        }
    }

    /// The path of the file that `password_file` names, or the like of another key.
    func passwordFile(_ section: inout SectionReader, _ key: String = "password") -> String? {
        section.node("\(key)_file")?.plainText.flatMap { try? AbsolutePath.expand($0, home: directories.home) }
    }
}

extension ValueKind where Value == Secret {
    /// The path of a file whose first line is the password.
    static func passwordFile(home: String?) -> ValueKind {
        ValueKind(expected: "a file's path") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            return try PasswordFile.firstLine(of: try AbsolutePath.expand(text, home: home))
        }
    }
}

/// A file whose first line is a password.
private enum PasswordFile {
    static func firstLine(of path: String) throws(ValueComplaint) -> Secret {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ValueComplaint("\(path) can't be read; check that it exists and who may read it")
        }
        let line = String(decoding: data.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        guard !line.isEmpty else {
            throw ValueComplaint("\(path) has nothing on its first line; write the password there")
        }
        return Secret(line)
    }
}
