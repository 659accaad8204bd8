package import MPDProtocol
package import MPDSessions
package import MusicModel

extension Configuration {
    /// A `[[server.password]]` section: what a client may do that knows a password.
    package struct Password: Hashable, Sendable {
        /// How a password that a client sends is compared.
        package var check: PasswordCheck
        /// The permissions of the client then.
        package var permissions: Permission
    }

    /// How a password that a client sends is compared.
    package enum PasswordCheck: Hashable, Sendable {
        /// With the password itself.
        case password(Secret)
        /// With the SHA-256 digest (32 bytes) of the salt's UTF-8 followed by the password's; the salt may be empty.
        case sha256(salt: String, digest: [UInt8])
        /// With a key that scrypt derives from the password.
        case scrypt(ScryptKey)
    }
}

extension ConfigurationReader {
    /// Reads one password of clients; nil when it is incomplete, and then that is noted.
    func readPassword(_ section: SectionReader) -> Configuration.Password? {
        var section = section
        let password = section.value("password", .secret).map(Configuration.PasswordCheck.password)
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
        guard let check = password ?? hash, let permissions else { return nil }
        return Configuration.Password(check: check, permissions: permissions)
    }
}

extension ValueKind where Value == Configuration.PasswordCheck {
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
            return .sha256(salt: parts.count == 3 ? String(parts[1]) : "", digest: digest)
        }
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
