import Synchronization

/// A code that people can read to each other: eight characters of Crockford's base 32, which has no I, L, O and U.
package enum PairingCode {
    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// How long a code is good, in seconds.
    package static let lifetime: Int64 = 300

    /// A code of 40 random bits, as `K7QF-93XD`.
    package static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let characters = (0..<8).map { _ in digits.randomElement(using: &generator) ?? "0" }
        return String(characters[..<4]) + "-" + String(characters[4...])
    }

    /// A code as it is written, from one as a user typed it; nil where it can't be one.
    package static func normalized(_ text: String) -> String? {
        let swapped = text.uppercased().map { character -> Character in
            switch character {
            case "I", "L": "1"
            case "O": "0"
            default: character
            }
        }
        let characters = swapped.filter { $0 != "-" && $0 != " " }
        guard characters.count == 8, characters.allSatisfy(digits.contains) else { return nil }
        return String(characters[..<4]) + "-" + String(characters[4...])
    }
}

/// The codes that pages show, each good once and for five minutes, and how often wrong ones were tried.
package final class PairingCodes: Sendable {
    /// The permissions and the origin of a session that a code begins.
    package struct Grant: Hashable, Sendable {
        /// The bits of what it allows.
        package var permissions: UInt8
        /// The origin of the session that it begins: that of the one who showed it.
        package var origin: String
        /// By whom the session is let in, the first one first: a session's id for each, or what else has shown itself.
        package var makers: [String]

        /// Puts a grant together.
        package init(permissions: UInt8, origin: String, makers: [String] = []) {
            (self.permissions, self.origin, self.makers) = (permissions, origin, makers)
        }

        fileprivate var maker: String { makers.last ?? "" }
    }

    private struct State {
        var codes: [(code: String, grant: Grant, until: ContinuousClock.Instant)] = []
        var tries: [(address: [UInt8], time: ContinuousClock.Instant)] = []
    }

    private let state = Mutex(State())
    private static let maxCodes = 128
    /// Valid codes of one maker; an older one makes room.
    private static let maxOfMaker = 4
    /// Attempts allowed per minute and address, so one device can't lock out the others.
    private static let maxTries = 20
    /// Attempts per minute of all addresses: too few to guess one of 2^40 codes while it is valid.
    private static let maxTriesOfAll = 200

    /// Makes a store without codes.
    package init() {}

    /// Makes a code; nil while too many others are shown that allow more.
    package func make(_ grant: Grant) -> String? {
        let code = PairingCode.random()
        return state.withLock { state in
            state.codes.removeAll { $0.until <= .now }
            if state.codes.count(where: { $0.grant.maker == grant.maker }) >= Self.maxOfMaker,
                let oldest = state.codes.firstIndex(where: { $0.grant.maker == grant.maker })
            {
                state.codes.remove(at: oldest)
            } else if state.codes.count >= Self.maxCodes {
                // One of more permissions never makes room for one of fewer.
                guard let weaker = state.codes.firstIndex(where: { $0.grant.permissions & ~grant.permissions == 0 })
                else { return nil }
                state.codes.remove(at: weaker)
            }
            state.codes.append((code, grant, .now + .seconds(PairingCode.lifetime)))
            return code
        }
    }

    /// Forgets the codes of a session, and of all sessions that it let in.
    package func forget(madeBy maker: String) {
        state.withLock { $0.codes.removeAll { $0.grant.makers.contains(maker) } }
    }

    /// The grant of a code, which is used up by that; nil for one that never was.
    package func take(_ code: String) -> Grant? {
        state.withLock { state in
            guard let index = state.codes.firstIndex(where: { $0.code == code && $0.until > .now }) else { return nil }
            return state.codes.remove(at: index).grant
        }
    }

    /// Forgets all codes that were not used yet.
    package func forget() { state.withLock { $0.codes = [] } }

    /// Counts an attempt before its code is checked; false after too many in the last minute.
    package func mayTry(from address: [UInt8]) -> Bool {
        state.withLock { state in
            let now = ContinuousClock.now
            state.tries.removeAll { now - $0.time > .seconds(60) }
            guard state.tries.count < Self.maxTriesOfAll,
                state.tries.count(where: { $0.address == address }) < Self.maxTries
            else { return false }
            state.tries.append((address, now))
            return true
        }
    }

    /// Uncounts an attempt whose code was right.
    package func wasRight(from address: [UInt8]) {
        state.withLock { state in
            guard let index = state.tries.lastIndex(where: { $0.address == address }) else { return }
            state.tries.remove(at: index)
        }
    }
}
