package import Coordination
import Crypto
import Foundation
import Glibc
package import Logging
package import MPDCommands
package import MPDProtocol
import MusicModel
package import ServerLoop

/// Checks the passwords that clients send, and limits how many they can try. Passwords by scrypt are derived away from
/// the loop, two at a time. After one success a password is known by a keyed digest of it, because clients reconnect
/// all the time; the key is new at each start and never leaves memory.
@ServerActor
package final class PasswordGate: PasswordChecking {
    private nonisolated static let parallelism = 2
    /// How many passwords may be derived or wait for that.
    static let queueLimit = 32

    /// How many answers may be held back; clients that hang up meanwhile count too, so there must be an end.
    static let holdLimit = 1_000

    /// How many wrong ones were sent since the start.
    package private(set) var failures = 0
    /// How many passwords were derived since the start.
    package private(set) var derivations = 0

    private typealias Digest = HMAC<SHA256>.MAC
    private let delay: Duration
    private let trusted: Set<UInt32>
    private let clock: any ServiceClock
    private let logger: Logger
    private let secret = SymmetricKey(size: .bits256)
    private var entries: [PasswordEntry]
    private var generation = 0
    private var throttle = FailureThrottle()
    private var known: [(digest: Digest, entry: PasswordEntry)] = []
    private var pending: [Data: (task: Task<PasswordEntry?, any Error>, peer: PeerAddress)] = [:]
    private let slots = ConcurrencyLimit(PasswordGate.parallelism)
    private var held = 0

    /// The users who can read the configuration anyway: root, and the one that the process runs as.
    package nonisolated static let owners: Set<UInt32> = [0, getuid()]

    /// Makes a gate: answers to wrong passwords take `delay`, and `trusted` users of Unix sockets are not slowed down.
    package nonisolated init(
        _ entries: [PasswordEntry] = [], delay: Duration = .seconds(1), trusted: Set<UInt32> = PasswordGate.owners,
        clock: any ServiceClock = ContinuousClock(), logger: Logger = Logger(label: "segue.server")
    ) {
        self.entries = entries
        self.clock = clock
        (self.delay, self.trusted, self.logger) = (delay, trusted, logger)
    }

    /// Takes other passwords from now on; `MPDServer.renewPermissions` takes those of old ones away.
    package func replace(_ entries: [PasswordEntry]) {
        self.entries = entries
        generation &+= 1
        known = []
    }

    package func grant(
        for password: String, from peer: PeerAddress
    ) async throws -> (permission: Permission, entry: String)? {
        try await entry(for: password, from: peer).map { ($0.permission, $0.fingerprint) }
    }

    /// The digests of all passwords' entries, by which it is known which of them there still are.
    package var fingerprints: Set<String> { Set(entries.map(\.fingerprint)) }

    /// True if there are passwords at all.
    package var hasPasswords: Bool { !entries.isEmpty }

    /// The entry that a password belongs to; nil when it is wrong, after a second. Throws `AckError` when too many are
    /// being checked; `CancellationError`.
    package func entry(for password: String, from peer: PeerAddress) async throws -> PasswordEntry? {
        let digest = HMAC<SHA256>.authenticationCode(for: Data(password.utf8), using: secret)
        if isTrusted(peer) {
            if let entry = try await lookUp(password, digest, for: peer) { return entry }
            return try await wrong(peer)
        }
        // Clients open several connections at once; the same password from the same address is one attempt.
        if let joint = pending[Data(digest)], joint.peer == peer {
            if let entry = try await joint.task.value { return entry }
            throttle.fail(peer, at: clock.now)
            return try await wrong(peer)
        }
        switch throttle.admission(of: peer, at: clock.now) {
        case .now: break
        case .at(let time): guard try await hold(until: time) else { return nil }
        case .refused(let isFirst):
            if isFirst {
                logger.warning("too many wrong passwords", metadata: ["peer": "\(peer.shown)"])
            }
            return try await refuse()
        }
        // Counted before the check, so that many at the same time don't get by; a right one is taken back.
        let time = clock.now
        throttle.fail(peer, at: time)
        do {
            if let entry = try await lookUp(password, digest, for: peer) {
                throttle.takeBack(peer, at: time)
                return entry
            }
        } catch {
            throttle.takeBack(peer, at: time)
            throw error
        }
        return try await wrong(peer)
    }

    private func isTrusted(_ peer: PeerAddress) -> Bool {
        if case .localUser(let user?) = peer { trusted.contains(user) } else { false }
    }

    private func wrong(_ peer: PeerAddress) async throws -> PasswordEntry? {
        failures &+= 1
        logger.warning("wrong password", metadata: ["peer": "\(peer.shown)"])
        return try await refuse()
    }

    private func refuse() async throws -> PasswordEntry? {
        _ = try await hold(until: clock.now + delay)
        return nil
    }

    /// Waits for a moment; false, at once, when too many wait already.
    private func hold(until time: ContinuousClock.Instant) async throws -> Bool {
        guard held < Self.holdLimit else { return false }
        held += 1
        defer { held -= 1 }
        try await clock.sleep(until: time, tolerance: nil)
        return true
    }

    private func lookUp(_ password: String, _ digest: Digest, for peer: PeerAddress) async throws -> PasswordEntry? {
        let bytes = Array(password.utf8)
        // All are checked even after a match, so that the time reveals nothing.
        var found: PasswordEntry?
        for entry in entries where !entry.isSlow {
            if entry.matches(bytes), found == nil { found = entry }
        }
        for one in known where one.digest == digest { found = found ?? one.entry }
        if let found { return found }
        guard entries.contains(where: \.isSlow) else { return nil }
        return try await derived(bytes, digest, for: peer)
    }

    /// Clients that send the same password at the same time share one check.
    private func derived(_ password: [UInt8], _ digest: Digest, for peer: PeerAddress) async throws -> PasswordEntry? {
        let name = Data(digest)
        if let joint = pending[name] { return try await joint.task.value }
        guard pending.count < Self.queueLimit else {
            throw AckError(.system, "too many passwords are being checked; try again")
        }
        let task = Task { try await self.derive(password, digest) }
        pending[name] = (task, peer)
        defer { pending[name] = nil }
        return try await task.value
    }

    private func derive(_ password: [UInt8], _ digest: Digest) async throws -> PasswordEntry? {
        try await slots.acquire()
        defer { slots.release() }
        while true {
            let (slow, current) = (entries.filter(\.isSlow), generation)
            derivations &+= 1
            let matches = try await onThread { slow.map { $0.matches(password) } }
            // The passwords may be others by now.
            guard current == generation else { continue }
            guard let index = matches.firstIndex(of: true) else { return nil }
            known.append((digest, slow[index]))
            return slow[index]
        }
    }
}
