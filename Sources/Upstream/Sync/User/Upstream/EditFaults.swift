import Subsonic

/// Edits that the server failed with, so that one of them doesn't hold up the others.
///
/// A failure of the server is about one edit or about everything, and only the others tell which. So an edit that it
/// fails with is passed over, and given up after some rounds in which the server took others. Rounds in which it took
/// none prove nothing, and end early.
struct EditFaults<Edit: Hashable & Sendable>: Sendable {
    private struct Fault {
        /// How often the server failed with the edit.
        var failures = 0
        /// The rounds among them in which the server took others.
        var rounds = 0
    }

    /// The number of failures that are the server's fault while it takes nothing.
    private static var failuresOfAnOutage: Int { 3 }
    /// An edit is given up after this many rounds in which others were taken.
    private static var maxRounds: Int { 5 }

    private var faults: [Edit: Fault] = [:]
    private var passedOver: [Edit: SubsonicError] = [:]
    private var wasAnyTaken = false

    /// How many edits the server failed with that still wait.
    var count: Int { faults.count }
    mutating func beginRound() { (passedOver, wasAnyTaken) = ([:], false) }

    /// The edits that have not been tried in this round: those that nothing is known of, and those that the server
    /// failed with in earlier rounds, least often first, so that all of them get their turn.
    func untried(_ edits: [Edit]) -> (fresh: [Edit], failed: [Edit]) {
        let untried = edits.filter { passedOver[$0] == nil }
        let failed = untried.filter { faults[$0] != nil }
        return (
            untried.filter { faults[$0] == nil },
            failed.sorted { (faults[$0]?.failures ?? 0) < (faults[$1]?.failures ?? 0) }
        )
    }

    mutating func taken() { wasAnyTaken = true }

    mutating func passOver(_ edit: Edit, _ error: SubsonicError) throws {
        faults[edit, default: Fault()].failures += 1
        passedOver[edit] = error
        if !wasAnyTaken && passedOver.count >= Self.failuresOfAnOutage { throw error }
    }

    /// Ends a round in which every edit was tried; returns the edits to give up, with the server's errors.
    mutating func endRound() -> [(edit: Edit, error: SubsonicError)] {
        faults = faults.filter { passedOver[$0.key] != nil }
        guard wasAnyTaken else { return [] }
        for edit in passedOver.keys { faults[edit, default: Fault()].rounds += 1 }
        let hopeless = passedOver.filter { (faults[$0.key]?.rounds ?? 0) >= Self.maxRounds }
        for edit in hopeless.keys {
            faults[edit] = nil
            passedOver[edit] = nil
        }
        return hopeless.map { (edit: $0.key, error: $0.value) }
    }

    func throwFailure() throws {
        if let error = passedOver.values.first { throw error }
    }
}

/// The meaning of an error for an edit that was sent.
enum EditVerdict: Hashable {
    /// The server can't be used now; every edit would fail.
    case outage
    /// The server failed, with this edit or with everything.
    case failure
    /// The server does not take the edit, now or later.
    case refusal
}

extension SubsonicError {
    /// The meaning for the edit that the call was to send.
    var verdict: EditVerdict {
        switch code {
        case .notFound, .unsupported, .refused, .notPermitted: .refusal
        case .server: .failure
        default: .outage
        }
    }
}

extension SubsonicClient {
    /// Makes sure that a refusal is the server's own, by a ping. A proxy before a server that is away refuses
    /// everything, a ping too, and then an edit must wait.
    func confirm(_ refusal: SubsonicError) async throws {
        // No proxy says this.
        if refusal.code == .notFound { return }
        _ = try await ping()
    }
}
