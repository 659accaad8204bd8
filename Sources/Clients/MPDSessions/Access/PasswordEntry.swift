import Crypto
import CryptoExtras
import Foundation
package import MPDProtocol
import MusicModel

/// A password that clients can send, as it is kept, and what it allows.
package struct PasswordEntry: Hashable, Sendable {
    /// How a password is compared; the password itself is never kept.
    package enum Check: Hashable, Sendable {
        /// With the SHA-256 digest (32 bytes) of the salt followed by the password.
        case sha256(salt: [UInt8], digest: [UInt8])
        case scrypt(ScryptKey)

        /// The check for a password that is known.
        package static func plain(_ password: String) -> Check {
            .sha256(salt: [], digest: Array(SHA256.hash(data: Data(password.utf8))))
        }
    }

    /// How a password is compared.
    package var check: Check
    /// The permissions of a client with the password.
    package var permission: Permission

    /// Pairs a check with a permission.
    package init(check: Check, permission: Permission) {
        self.check = check
        self.permission = permission
    }

    /// A digest that changes with the entry; it tells nothing of the password that isn't in the configuration.
    package var fingerprint: String {
        let parts: [UInt8] =
            switch check {
            case .sha256(let salt, let digest): salt + digest
            case .scrypt(let key): key.salt + key.key
            }
        let digest = SHA256.hash(data: parts + [permission.rawValue])
        return digest.prefix(16).hexadecimal
    }

    var isSlow: Bool { if case .scrypt = check { true } else { false } }

    /// True if a password is this one; takes as long for a wrong one as for a right one.
    func matches(_ password: [UInt8]) -> Bool {
        switch check {
        case .sha256(let salt, let digest):
            SHA256.hash(data: salt + password) == digest
        case .scrypt(let key):
            key.matches(password)
        }
    }
}

/// A key that scrypt derived from a password and a salt, with the numbers that it took.
package struct ScryptKey: Hashable, Sendable {
    /// The base-2 logarithm of the cost N, the block size r and the parallelism p.
    package let logCost, blockSize, parallelism: Int
    /// Random bytes, other ones for each password.
    package let salt: [UInt8]
    /// The key that scrypt derived.
    package let key: [UInt8]

    /// Describes a key; the caller has checked that the parameters are within acceptable limits.
    package init(logCost: Int, blockSize: Int, parallelism: Int, salt: [UInt8], key: [UInt8]) {
        (self.logCost, self.blockSize, self.parallelism) = (logCost, blockSize, parallelism)
        (self.salt, self.key) = (salt, key)
    }

    /// Derives a key with a new salt and the numbers that Segue recommends: 32 MiB and less than a tenth of a second.
    package init(password: String) throws {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let blank = ScryptKey(
            logCost: 15, blockSize: 8, parallelism: 1, salt: salt, key: [UInt8](repeating: 0, count: 32))
        let key = try blank.derive(Array(password.utf8)).withUnsafeBytes { Array($0) }
        self.init(logCost: 15, blockSize: 8, parallelism: 1, salt: salt, key: key)
    }

    private func derive(_ password: [UInt8]) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(
            from: password, salt: salt, outputByteCount: key.count, rounds: 1 << logCost, blockSize: blockSize,
            parallelism: parallelism)
    }

    func matches(_ password: [UInt8]) -> Bool {
        // Keys are compared in constant time.
        (try? derive(password)) == SymmetricKey(data: key)
    }
}
