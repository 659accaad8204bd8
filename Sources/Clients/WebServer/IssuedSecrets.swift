import Crypto
import Foundation
import Logging
import MusicModel
import Synchronization

/// Secrets that a user of the machine made for a running server: tokens of programs, and codes for pairing. The
/// commands write them into a file of the state directory; the server reads it when it meets a secret that it doesn't
/// know. What is written are digests.
package final class IssuedSecrets: Sendable {
    /// One secret.
    package struct Entry: Codable, Hashable, Sendable {
        /// The id by which it is listed and revoked.
        package var id: String
        /// Its name for people.
        package var name: String
        /// The bits of what it allows.
        package var permissions: UInt8
        /// Unix seconds; nil where it has no end, which tokens don't have.
        package var expires: Int64?
        /// Unix seconds.
        package var created: Int64
        var digest: String
    }

    private struct Kept {
        var entries: [Entry] = []
        var stamp: String?
        var used: Set<String> = []
    }

    private let path: String
    private let kept = Mutex(Kept())

    /// Reads and writes a file.
    package init(path: String) { self.path = path }

    /// All that still count, as the file has them.
    package var all: [Entry] {
        let now = Int64(Date().timeIntervalSince1970)
        return read().filter { $0.expires.map { $0 > now } ?? true }
    }

    /// Makes a token, or a code that is valid once and for `lifetime` seconds.
    package func add(name: String, permissions: UInt8, lifetime: Int64? = nil) throws -> (secret: String, id: String) {
        let secret = lifetime == nil ? RandomSecret.random(32) : PairingCode.random()
        let now = Int64(Date().timeIntervalSince1970)
        let entry = Entry(
            id: RandomSecret.random(4), name: String(name.prefix(utf8: 240).prefix(80)), permissions: permissions,
            expires: lifetime.map { now + $0 }, created: now, digest: RandomSecret.digest(secret))
        try write(all + [entry])
        return (secret, entry.id)
    }

    /// Takes a token back; false when there is none of this id.
    package func remove(id: String) throws -> Bool {
        let rest = all.filter { $0.id != id }
        guard rest.count < all.count else { return false }
        try write(rest)
        return true
    }

    /// The entry whose secret this is; nil where it is unknown or revoked.
    package func token(_ secret: String) -> Entry? {
        guard secret.utf8.count <= 128 else { return nil }
        let digest = RandomSecret.digest(secret)
        return current().first { $0.digest == digest && $0.expires == nil }
    }

    /// True if there still is a token of this id.
    package func hasToken(id: String) -> Bool { current().contains { $0.id == id && $0.expires == nil } }

    /// The entry of a code, which is good once.
    package func takeCode(_ code: String) -> Entry? {
        let digest = RandomSecret.digest(code)
        let now = Int64(Date().timeIntervalSince1970)
        guard let entry = current().first(where: { $0.digest == digest && ($0.expires ?? 0) > now }) else { return nil }
        return kept.withLock { $0.used.insert(digest).inserted } ? entry : nil
    }

    /// The file's entries; read again only when the file is another one.
    private func current() -> [Entry] {
        let stamp = stamp
        return kept.withLock { kept in
            if kept.stamp != stamp { (kept.entries, kept.stamp) = (stamp == nil ? [] : read(), stamp) }
            return kept.entries
        }
    }

    /// A stamp of the file's state. Times alone are too coarse for two writes in a row; each write makes a new file.
    private var stamp: String? {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        let time = (facts[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return "\(time) \(facts[.systemFileNumber] ?? 0) \(facts[.size] ?? 0)"
    }

    private func read() -> [Entry] { DigestFile.read(path, orElse: "no token is valid") }
    private func write(_ entries: [Entry]) throws { try DigestFile.write(entries, to: path) }
}

/// Secrets that clients show; only their digests are stored.
enum RandomSecret {
    static func digest(_ secret: String) -> String { SHA256.hash(data: Data(secret.utf8)).hexadecimal }
    static func random(_ bytes: Int) -> String { (0..<bytes).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal }
}

/// A file that only its owner can read, replaced as a whole.
enum DigestFile {
    /// More bytes than any of these files can have, as their names and their number are bounded.
    static let maxSize = 4 << 20

    /// The entries in a file; none where it is missing, or can't be read, which the log says with its consequence.
    static func read<Entry: Decodable>(_ path: String, orElse consequence: String) -> [Entry] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        do {
            guard data.count <= maxSize else { throw CocoaError(.fileReadTooLarge) }
            return try JSONDecoder().decode([Entry].self, from: data)
        } catch {
            Logger(label: "segue.web").warning("\(consequence), as \(path) can't be read; remove it", error: error)
            return []
        }
    }

    static func write(_ entries: [some Encodable], to path: String) throws {
        let data = try JSONEncoder().encode(entries)
        let fresh = path + ".new"
        // Made for this user alone from the start, and whole when it gets its name.
        let descriptor = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: data)
        try file.synchronize()
        guard rename(fresh, path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
