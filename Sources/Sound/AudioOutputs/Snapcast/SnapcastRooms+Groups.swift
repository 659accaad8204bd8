import Outputs

/// Snapcast's groups as outputs.
extension SnapcastRooms {
    /// How loud the clients of a group were to each other.
    struct Balance: Hashable, Sendable {
        /// Their volumes before the group's was set, by client.
        var before: [String: Int]
        /// Those that were set last; once others are found, the balance is theirs.
        var after: [String: Int]
    }

    /// Tells a group from a client.
    private static let prefix = "group "

    /// The groups that are outputs. Beside its client, a group with no other one would be the same again.
    var shownGroups: [Group] {
        switch choice {
        case .clients: []
        case .groups: groups.filter { !members($0.id).isEmpty }
        case .all: groups.filter { members($0.id).count > 1 }
        }
    }

    /// The group that an output is.
    func shownGroup(_ room: String) -> Group? { shownGroups.first { Self.prefix + $0.id == room } }

    /// The group as an output.
    func room(_ group: Group) -> Room {
        let members = members(group.id)
        return Room(
            id: Self.prefix + group.id,
            name: group.name.isEmpty
                ? SnapcastMessage.clean(members.map(\.name).joined(separator: " + ")) : group.name,
            isEnabled: isReachable && !group.isMuted && members.contains { !$0.volume.muted },
            attributes: [
                "volume": String(volume(of: members)), "stream": group.stream,
                "connected": isReachable && members.contains(where: \.isConnected) ? "1" : "0",
            ],
            members: members.map { Room.Member(id: $0.id, name: $0.name) })
    }

    /// The average of those that are there, as Snapcast's own apps show it.
    private func volume(of members: [Client]) -> Int {
        let present = members.filter(\.isConnected)
        let counted = present.isEmpty ? members : present
        guard !counted.isEmpty else { return 0 }
        return Int((Double(counted.reduce(0) { $0 + $1.volume.percent }) / Double(counted.count)).rounded())
    }

    mutating func setGroupEnabled(_ group: Group, _ isEnabled: Bool) {
        if group.isMuted == isEnabled { setMuted(group.id, !isEnabled) }
        guard isEnabled else { return }
        let members = members(group.id)
        if members.allSatisfy(\.volume.muted) { for member in members { change(member.id) { $0.muted = false } } }
        putToStream(group.id)
    }

    /// Moves all clients so that their average is the volume: each goes the same share of its way to silence or to the
    /// full volume. On the way back they find their balance again, even from silence.
    mutating func setGroupVolume(_ group: Group, _ percent: Int) {
        let members = members(group.id)
        let now = Dictionary(members.map { ($0.id, $0.volume.percent) }, uniquingKeysWith: { first, _ in first })
        let known = balances[group.id].flatMap { $0.after == now ? $0.before : nil }
        let before = known ?? now
        let present = members.filter(\.isConnected)
        let counted = (present.isEmpty ? members : present).compactMap { before[$0.id] }
        guard !counted.isEmpty else { return }
        let average = Double(counted.reduce(0, +)) / Double(counted.count)
        var after: [String: Int] = [:]
        for (id, volume) in before {
            after[id] = Self.moved(Double(volume), to: Double(percent), from: average)
        }
        for member in members {
            guard let volume = after[member.id], volume != member.volume.percent else { continue }
            change(member.id) { $0.percent = volume }
        }
        balances[group.id] = Balance(before: before, after: after)
    }
    /// A client's volume once the average went from `average` to `wanted`.
    private static func moved(_ volume: Double, to wanted: Double, from average: Double) -> Int {
        if wanted == average { return Int(volume) }
        let moved =
            wanted < average ? volume * wanted / average : 100 - (100 - volume) * (100 - wanted) / (100 - average)
        return max(0, min(100, Int(moved.rounded())))
    }
}
