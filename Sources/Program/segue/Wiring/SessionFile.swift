import Foundation
import Synchronization

/// Keeps the token of Navidrome's own API in the state directory, so that changes are heard of at once without a
/// password being stored.
///
/// It lasts for two days and is renewed while Segue runs. As good as a password until then: readable only for its
/// owner.
final class SessionFile: Sendable {
    private let path: String
    private let url: String
    private let username: String
    /// When the file was written last; each answer of the server brings a fresh token, which need not all be kept.
    private let lastWritten = Mutex<ContinuousClock.Instant?>(nil)

    private static let pauseBetweenWrites = Duration.seconds(3600)

    init(path: String, url: String, username: String) {
        self.path = path
        self.url = url
        self.username = username
    }

    /// The kept token; nil when there is none for this server and user.
    var token: String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        return lines.count == 3 && lines[0] == url && lines[1] == username ? lines[2] : nil
    }

    /// Keeps a token; one that comes within an hour of the last is not worth a write.
    func keep(_ token: String) {
        let now = ContinuousClock.now
        let isDue = lastWritten.withLock { last in
            if let last, now - last < Self.pauseBetweenWrites { return false }
            last = now
            return true
        }
        guard isDue, !token.contains("\n") else { return }
        let text = "# Written by Segue; lasts two days. Treat it like a password.\n\(url)\n\(username)\n\(token)\n"
        // Without it changes are noticed a few seconds later; nothing else is lost.
        try? PrivateFile.write(text, to: path)
    }
}

/// Writes files that only their owner can read.
enum PrivateFile {
    /// Writes a file; an old one is replaced at once or not at all.
    static func write(_ text: String, to path: String) throws {
        let temporary = path + ".new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure("can't write \(temporary): \(String(cString: strerror(errno)))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.synchronize()
        guard rename(temporary, path) == 0 else {
            throw CommandFailure("can't write \(path): \(String(cString: strerror(errno)))")
        }
    }
}
