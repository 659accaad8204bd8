import Foundation

/// A password's key by scrypt, `scrypt:LOG2N:R:P:SALT:KEY` with salt and key in base64.
package struct ScryptHash: Hashable, Sendable, CustomStringConvertible {
    /// The base-2 logarithm of scrypt's cost N, and its block size r and parallelism p.
    package let logCost, blockSize, parallelism: Int
    /// Random bytes, other ones for each password.
    package let salt: [UInt8]
    /// The key that scrypt derives from password and salt.
    package let key: [UInt8]

    static let scheme = "scrypt:"
    /// The most memory that a check may take, in bytes.
    static let memoryLimit = 256 << 20
    /// The most work, N × r × p, that a check may take: about a second.
    static let workLimit = 1 << 22

    /// Describes a hash whose numbers are known to be in bounds.
    package init(logCost: Int, blockSize: Int, parallelism: Int, salt: [UInt8], key: [UInt8]) {
        (self.logCost, self.blockSize, self.parallelism) = (logCost, blockSize, parallelism)
        (self.salt, self.key) = (salt, key)
    }

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
        self.init(
            logCost: logCost, blockSize: blockSize, parallelism: parallelism, salt: Array(salt), key: Array(key))
    }

    private static func number(_ text: String) -> Int? {
        (1...3).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// The text for the configuration.
    package var description: String {
        Self.scheme + "\(logCost):\(blockSize):\(parallelism):\(Data(salt).base64EncodedString()):"
            + Data(key).base64EncodedString()
    }
}
