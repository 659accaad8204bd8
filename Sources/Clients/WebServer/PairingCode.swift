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

/// The codes that pages show, each good once and for five minutes, and how many wrong ones were tried.
package final class PairingCodes: Sendable {
    private struct State {
        var codes: [(code: String, permissions: UInt8, until: ContinuousClock.Instant)] = []
        var misses: [ContinuousClock.Instant] = []
    }

    private let state = Mutex(State())
    private static let most = 32
    /// So many wrong codes a minute from all machines together: with these one of 2^40 isn't found within its life.
    private static let freeMisses = 20

    /// Knows none.
    package init() {}

    /// Makes a code.
    package func make(permissions: UInt8) -> String {
        let code = PairingCode.random()
        state.withLock { state in
            state.codes.removeAll { $0.until <= .now }
            if state.codes.count >= Self.most { state.codes.removeFirst() }
            state.codes.append((code, permissions, .now + .seconds(PairingCode.lifetime)))
        }
        return code
    }

    /// The permissions that a code allows, which is used up by that; nil for one that never was.
    package func take(_ code: String) -> UInt8? {
        state.withLock { state in
            guard let place = state.codes.firstIndex(where: { $0.code == code && $0.until > .now }) else { return nil }
            return state.codes.remove(at: place).permissions
        }
    }

    /// Counts a wrong code; false when there were too many in the last minute.
    package func countMiss() -> Bool {
        state.withLock { state in
            state.misses.removeAll { .now - $0 > .seconds(60) }
            guard state.misses.count < Self.freeMisses else { return false }
            state.misses.append(.now)
            return true
        }
    }
}
