import Foundation
import Synchronization

/// Keeps the token of Navidrome's own API in the state directory, so that changes are heard of at once without a
/// password being stored.
///
/// It lasts for two days and is renewed while Segue runs. As good as a password until then: readable only for its
/// owner.
package final class SessionFile: Sendable {
    private let path: String
    private let url: String
    private let username: String
    /// When the file was written last; each answer of the server brings a fresh token, which need not all be kept.
    private let lastWritten = Mutex<ContinuousClock.Instant?>(nil)

    private static let pauseBetweenWrites = Duration.seconds(3600)

    /// Names the file, and the server and user whose token it keeps.
    package init(path: String, url: String, username: String) {
        self.path = path
        self.url = url
        self.username = username
    }

    /// The kept token; nil when there is none for this server and user.
    package var token: String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        return lines.count == 3 && lines[0] == url && lines[1] == username ? lines[2] : nil
    }

    /// Keeps a token; one that comes within an hour of the last is not worth a write.
    ///
    /// - Throws: `StateFileError`. Without the file changes are noticed a few seconds later; nothing else is lost.
    package func keep(_ token: String) throws {
        let now = ContinuousClock.now
        let isDue = lastWritten.withLock { last in
            if let last, now - last < Self.pauseBetweenWrites { return false }
            last = now
            return true
        }
        guard isDue, !token.contains("\n") else { return }
        let text = "# Written by Segue; lasts two days. Treat it like a password.\n\(url)\n\(username)\n\(token)\n"
        try PrivateFile.write(text, to: path)
    }
}
