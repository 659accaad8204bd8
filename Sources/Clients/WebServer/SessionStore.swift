import Foundation
import Logging
import MusicModel
import Synchronization

/// A browser that signed in, or a program that has a token.
package struct WebSession: Codable, Hashable, Sendable {
    /// The id by which a session is revoked; says nothing about its secret.
    package var id: String
    /// The SHA-256 of the secret, in hexadecimal.
    var digest: String
    /// The bits of what it may do.
    package var permissions: UInt8
    /// Its origin: the digest of a password's entry, or a word; it ends when the password changes.
    package var origin: String
    /// True if it began with a code: of a page, or of `segue pair`.
    package var isPaired: Bool
    /// By whom it was let in with a code, as the grant of that has it; nil for none.
    package var makers: [String]?
    /// Its name for people, of 80 characters and 240 bytes at most.
    package var name: String
    /// Unix seconds.
    package var created: Int64
    /// Unix seconds, to the hour.
    package var lastUsed: Int64
}

/// The sessions of browsers and the tokens of programs; only digests are kept, in a file of the state directory.
package final class SessionStore: Sendable {
    /// The word in place of a password for sessions that began with a code of `segue pair`.
    package static let madeHere = "local"

    private let path: String?
    private static let log = Logger(label: "segue.web")
    private let sessions: Mutex<[WebSession]>
    private let now: @Sendable () -> Int64

    /// There is no room for one more session among those that allow no more.
    package struct Full: Error {}

    /// One more takes the place of the one unused for longest, of those that allow no more than the new one.
    private static let maxSessions = 500
    private static let maxPaired = 128
    /// The maximum of sessions that one session, token or address let in, directly or not.
    private static let maxOfMaker = 16

    /// Reads what there is; without a path all is forgotten at the end.
    package init(path: String?, now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }) {
        self.path = path
        self.now = now
        sessions = Mutex(path.map { DigestFile.read($0, orElse: "all browsers have to sign in again") } ?? [])
    }

    /// All of them, as the file has them now.
    package var all: [WebSession] { sessions.withLock { $0 } }

    /// Makes one that `makers` let in, the first one first, and returns its secret, kept nowhere; throws `Full`.
    package func add(
        permissions: UInt8, origin: String, name: String, isPaired: Bool = false, makers: [String] = []
    ) throws -> (secret: String, session: WebSession) {
        let secret = RandomSecret.random(32)
        let time = now()
        let session = WebSession(
            id: RandomSecret.random(6), digest: RandomSecret.digest(secret), permissions: permissions, origin: origin,
            isPaired: isPaired, makers: makers.isEmpty ? nil : makers, name: String(name.prefix(utf8: 240).prefix(80)),
            created: time, lastUsed: time)
        try sessions.withLock { sessions in
            sessions.removeAll { $0.hasEnded(at: time) }
            if let maker = makers.first {
                try Self.makeRoom(for: session, in: &sessions, below: Self.maxOfMaker) { $0.makers?.first == maker }
            }
            if isPaired { try Self.makeRoom(for: session, in: &sessions, below: Self.maxPaired, of: \.isPaired) }
            try Self.makeRoom(for: session, in: &sessions, below: Self.maxSessions) { _ in true }
            sessions.append(session)
            try write(sessions)
        }
        return (secret, session)
    }

    /// Ends sessions of a kind until fewer than a number are left; none that allows more than the new one.
    private static func makeRoom(
        for new: WebSession, in sessions: inout [WebSession], below limit: Int, of isKind: (WebSession) -> Bool
    ) throws {
        while sessions.count(where: isKind) >= limit {
            let weaker = sessions.indices.filter {
                isKind(sessions[$0]) && sessions[$0].permissions & ~new.permissions == 0
            }
            guard let oldest = weaker.min(by: { sessions[$0].lastUsed < sessions[$1].lastUsed }) else { throw Full() }
            sessions.remove(at: oldest)
        }
    }

    /// The session of a secret; nil for a wrong or an old one.
    package func session(of secret: String) -> WebSession? {
        guard secret.utf8.count <= 128 else { return nil }
        let digest = RandomSecret.digest(secret)
        let time = now()
        return sessions.withLock { sessions in
            // Digests of random secrets tell nothing by the time that comparing them takes.
            guard let index = sessions.firstIndex(where: { $0.digest == digest }), !sessions[index].hasEnded(at: time)
            else { return nil }
            if time - sessions[index].lastUsed >= 3600 {
                sessions[index].lastUsed = time
                keep(sessions)
            }
            return sessions[index]
        }
    }

    /// True if a session has not ended meanwhile.
    package func contains(_ session: WebSession) -> Bool {
        let time = now()
        return sessions.withLock { $0.contains { $0.id == session.id && !$0.hasEnded(at: time) } }
    }

    /// Ends a session, and those that it let in; false when there is none of that name.
    package func remove(id: String) throws -> Bool {
        try sessions.withLock { sessions in
            guard sessions.contains(where: { $0.id == id }) else { return false }
            sessions.removeAll { $0.id == id || $0.makers?.contains(id) == true }
            try write(sessions)
            return true
        }
    }

    /// Ends all that began with a code, but for the one that asks for it, and returns how many there were.
    package func removePaired(except own: WebSession?) throws -> Int {
        try sessions.withLock { sessions in
            let count = sessions.count
            sessions.removeAll { $0.isPaired && $0.id != own?.id }
            if sessions.count < count { try write(sessions) }
            return count - sessions.count
        }
    }

    /// Ends all whose password, and so what showed their code, is no longer among `origins`.
    package func keep(origins: Set<String>) {
        sessions.withLock { sessions in
            let count = sessions.count
            sessions.removeAll {
                // Those of tokens end with their token, which is looked at with each request.
                $0.origin != Self.madeHere && !$0.origin.hasPrefix("token ") && !origins.contains($0.origin)
            }
            if sessions.count < count { keep(sessions) }
        }
    }

    /// Writes the file for a change that holds in any case; one that can't be written is forgotten at the end.
    private func keep(_ sessions: [WebSession]) {
        do { try write(sessions) } catch {
            Self.log.warning("the page's sessions can't be saved in \(path ?? "")", error: error)
        }
    }

    private func write(_ sessions: [WebSession]) throws {
        guard let path else { return }
        try DigestFile.write(sessions, to: path)
    }
}

extension WebSession {
    /// True if it was not used for too long.
    fileprivate func hasEnded(at time: Int64) -> Bool { time - lastUsed > 90 * 24 * 3600 }
}
