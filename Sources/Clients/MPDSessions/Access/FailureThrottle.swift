import MPDCommands

/// Counts wrong passwords by address and decides when the next one may be tried. An address, or a network of 64 bits
/// with IPv6, has five wrong ones a minute and is refused beyond that. On this machine, where programs of several
/// people share an address, none can lock out the others: beyond five a minute one password a second is checked.
struct FailureThrottle {
    /// How many wrong passwords a minute are free.
    static let free = 5
    /// How many addresses are remembered; the one that was wrong longest ago makes room.
    static let capacity = 4_096
    static let window = Duration.seconds(60)
    static let memory = Duration.seconds(600)
    /// How far ahead turns are given on this machine.
    static let maxWait = Duration.seconds(30)

    enum Admission: Hashable, Sendable {
        case now
        case at(ContinuousClock.Instant)
        /// It counts as wrong without a check; `isFirst` for the first one in a minute.
        case refused(isFirst: Bool)
    }

    private struct Record {
        /// When the last wrong ones came, oldest first; no more than are free.
        var failures: [ContinuousClock.Instant] = []
        var nextTurn: ContinuousClock.Instant?
        var lastReport: ContinuousClock.Instant?
    }

    private enum Key: Hashable {
        case address([UInt8])
        case user(UInt32?)
    }

    private var records: [Key: Record] = [:]

    var count: Int { records.count }

    mutating func admission(of peer: PeerAddress, at now: ContinuousClock.Instant) -> Admission {
        let key = Self.key(of: peer)
        guard var record = records[key], record.failures.count == Self.free, let oldest = record.failures.first,
            now - oldest < Self.window
        else { return .now }
        defer { records[key] = record }
        if peer.isOnThisMachine {
            let turn = max(now, record.nextTurn ?? now)
            if turn - now <= Self.maxWait {
                record.nextTurn = turn + .seconds(1)
                return turn == now ? .now : .at(turn)
            }
        }
        let isFirst = record.lastReport.map { now - $0 >= Self.window } ?? true
        if isFirst { record.lastReport = now }
        return .refused(isFirst: isFirst)
    }

    mutating func fail(_ peer: PeerAddress, at now: ContinuousClock.Instant) {
        let key = Self.key(of: peer)
        if records[key] == nil, records.count >= Self.capacity { makeRoom(at: now) }
        records[key, default: Record()].failures.append(now)
        if records[key, default: Record()].failures.count > Self.free { records[key]?.failures.removeFirst() }
    }

    /// Takes back what `fail` counted at that time, because the password was right.
    mutating func takeBack(_ peer: PeerAddress, at time: ContinuousClock.Instant) {
        let key = Self.key(of: peer)
        guard let index = records[key]?.failures.firstIndex(of: time) else { return }
        records[key]?.failures.remove(at: index)
    }

    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        records = records.filter { record in
            record.value.failures.last.map { now - $0 < Self.memory } ?? false
        }
        guard records.count >= Self.capacity else { return }
        let oldest = records.min { ($0.value.failures.last ?? now) < ($1.value.failures.last ?? now) }
        if let oldest { records[oldest.key] = nil }
    }

    private static func key(of peer: PeerAddress) -> Key {
        switch peer {
        case .localUser(let user): .user(user)
        case .unknown: .user(nil)
        case .network: .address(peer.household)
        }
    }
}
