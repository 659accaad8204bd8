import Foundation
package import MPDSessions

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
        self.init(
            logCost: logCost, blockSize: blockSize, parallelism: parallelism, salt: Array(salt), key: Array(key))
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
