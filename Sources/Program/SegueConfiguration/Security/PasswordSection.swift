import MPDProtocol
package import MPDSessions
import MusicModel

extension Configuration {
    /// A `[[server.password]]` section.
    package struct Password: Hashable, Sendable {
        /// The password as it is checked, and what it allows.
        package var entry: PasswordEntry
        /// Why it could be found out from the configuration; nil when it hardly could.
        var weakness: String?
    }
}

extension ConfigurationReader {
    /// Reads one password of clients; nil when it is incomplete, and then that is noted.
    func readPassword(_ section: SectionReader) -> Configuration.Password? {
        var section = section
        let password = section.value("password", .secret)
        let hash = section.value("hash", .passwordHash)
        let permissions = section.required("permissions", .permissions, example: "permissions = [\"read\", \"player\"]")
        let hasPassword = section.node("password") != nil
        let hasHash = section.node("hash") != nil
        if hasPassword, hasHash {
            section.complain("hash", "password and hash can't both be set; remove one")
        } else if !hasPassword, !hasHash {
            section.complain("password", "missing; write password = \"...\", or the hash that `segue password` prints")
        }
        section.finish()
        guard let check = password.map({ .plain($0.reveal()) }) ?? hash, let permissions else { return nil }
        return Configuration.Password(
            entry: PasswordEntry(check: check, permission: permissions),
            weakness: password == nil ? check.weakness : "is in plain text")
    }
}

extension ValueKind where Value == PasswordEntry.Check {
    /// A hash from `segue password`, or `sha256:DIGEST` or `sha256:SALT:DIGEST` with 64 hexadecimal digits.
    static var passwordHash: ValueKind {
        let expected = "a hash from `segue password`, or \"sha256:SALT:\" and 64 hexadecimal digits"
        return ValueKind(expected: expected, isSecret: true) { node throws(ValueComplaint) in
            if let text = node.plainText, text.hasPrefix(ScryptKey.scheme) {
                return .scrypt(try ScryptKey(text))
            }
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
    /// Why a password could be found out from its hash; nil when it hardly could.
    fileprivate var weakness: String? {
        switch self {
        case .sha256: "is a SHA-256 hash: attackers can try billions a second"
        case .scrypt(let hash):
            hash.blockSize * hash.parallelism << hash.logCost < 1 << 17
                ? "has a cheap scrypt hash, which is quick to guess" : nil
        }
    }
}
