import Foundation
import MPDProtocol
package import MPDSessions
package import MusicModel

extension Configuration {
    /// A `[[server.password]]` section.
    package struct Password: Hashable, Sendable {
        /// The password as it is checked, and what it allows.
        package var entry: PasswordEntry
        /// Why it could be found out from the configuration; nil when it hardly could.
        var weakness: String?

        init?(reading section: SectionReader) {
            var section = section
            let password = section.value("password", .secret)
            let hash = section.value("hash", .passwordHash)
            let permissions = section.required(
                "permissions", .permissions, example: "permissions = [\"read\", \"player\"]")
            switch (section.has("password"), section.has("hash")) {
            case (true, true): section.complain("hash", "password and hash can't both be set; remove one")
            case (false, false):
                section.complain(
                    "password", "missing; write password = \"...\", or the hash that `segue password` prints")
            default: break
            }
            section.finish()
            guard let check = password.map({ .plain($0.reveal()) }) ?? hash, let permissions else { return nil }
            entry = PasswordEntry(check: check, permission: permissions)
            weakness = password == nil ? check.weakness : "is in plain text"
        }
    }
}

extension ValueKind where Value == PasswordEntry.Check {
    /// A hash from `segue password`, or `sha256:DIGEST` or `sha256:SALT:DIGEST` with 64 hexadecimal digits.
    static var passwordHash: ValueKind {
        let expected = "a hash from `segue password`, or \"sha256:SALT:\" and 64 hexadecimal digits"
        return ValueKind(expected: expected, isSecret: true) { node throws(ValueComplaint) in
            if let text = node.plainText, text.hasPrefix(ScryptKey.scheme) { return .scrypt(try ScryptKey(text)) }
            guard let parts = node.plainText?.split(separator: ":", omittingEmptySubsequences: false),
                parts.first == "sha256", parts.count == 2 || parts.count == 3, let last = parts.last,
                let digest = bytes(last), digest.count == 32
            else { return nil }
            return .sha256(salt: parts.count == 3 ? Array(parts[1].utf8) : [], digest: digest)
        }
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

extension PasswordEntry.Check {
    fileprivate var weakness: String? {
        switch self {
        case .sha256: "is a SHA-256 hash: attackers can try billions a second"
        case .scrypt(let hash):
            hash.blockSize * hash.parallelism << hash.logCost < 1 << 17
                ? "has a cheap scrypt hash, which is quick to guess" : nil
        }
    }
}

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

/// A password's key as the configuration has it: `scrypt:LOG2N:R:P:SALT:KEY` with salt and key in base64.
extension ScryptKey {
    static let scheme = "scrypt:"
    /// The most memory that a check may take, in bytes.
    private static let memoryLimit = 256 << 20
    /// The most work, N × r × p, that a check may take: about a second.
    private static let workLimit = 1 << 22

    /// Reads the text of a hash; numbers that would take too much memory or time are refused.
    init(_ text: String) throws(ValueComplaint) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard text.utf8.count <= 512, parts.count == 6, let logCost = Self.number(parts[1]),
            let blockSize = Self.number(parts[2]), let parallelism = Self.number(parts[3]),
            let salt = Data(base64Encoded: parts[4]), let key = Data(base64Encoded: parts[5])
        else { throw ValueComplaint("is not a hash from `segue password`, such as scrypt:15:8:1:SALT:KEY") }
        guard (10...24).contains(logCost), (1...32).contains(blockSize), (1...16).contains(parallelism),
            128 * blockSize << logCost <= Self.memoryLimit, blockSize * parallelism << logCost <= Self.workLimit
        else {
            throw ValueComplaint(
                "is too weak, or takes over 256 MiB or a second for each check; make it with "
                    + "`segue password`")
        }
        guard (8...64).contains(salt.count), (16...64).contains(key.count) else {
            throw ValueComplaint(
                "has a salt outside 8 to 64 bytes or a key outside 16 to 64; make it with `segue password`")
        }
        self.init(logCost: logCost, blockSize: blockSize, parallelism: parallelism, salt: Array(salt), key: Array(key))
    }

    private static func number(_ text: String) -> Int? {
        (1...3).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// The text for the configuration.
    package var text: String {
        Self.scheme + "\(logCost):\(blockSize):\(parallelism):\(Data(salt).base64EncodedString()):"
            + Data(key).base64EncodedString()
    }
}
