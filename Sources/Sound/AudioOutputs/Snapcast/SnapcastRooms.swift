import Outputs

/// The clients and groups of a Snapcast server, and what is still to be told to it. A pure value.
struct SnapcastRooms: Sendable {
    typealias Client = SnapcastMessage.Client
    typealias Group = SnapcastMessage.Group

    /// How it stands with the request for the server's state.
    enum Inquiry: Hashable, Sendable {
        case none
        case sent(Int)
        case refused(String)
    }

    private(set) var clients: [Client] = []
    private(set) var groups: [Group] = []
    private(set) var isReachable = false
    private var waiting: [SnapcastRequest] = []
    private var lastNumber = 0
    /// The settings that the server has not answered yet, by the newest request: its news of them are older until then.
    private var unanswered: [SnapcastRequest.Setting: Int] = [:]
    /// The newest request for the state. Once it is refused, only another connection is worth a try.
    private(set) var inquiry = Inquiry.none
    private let stream: String?
    let choice: SnapcastSettings.Rooms
    /// How loud the clients of a group were to each other when its volume was first set, by group.
    var balances: [String: Balance] = [:]

    init(stream: String?, choice: SnapcastSettings.Rooms = .all) { (self.stream, self.choice) = (stream, choice) }

    // MARK: What clients of ours see

    var rooms: [Room] { (choice == .groups ? [] : clients.map(room)) + shownGroups.map(room) }

    private func room(_ client: Client) -> Room {
        let group = group(client.group)
        var attributes = [
            "volume": String(client.volume.percent), "connected": isReachable && client.isConnected ? "1" : "0",
            "stream": group?.stream ?? "",
        ]
        if let latency = client.latency { attributes["latency"] = String(latency) }
        if let group, !group.name.isEmpty { attributes["group"] = group.name }
        return Room(
            id: client.id, name: client.name,
            isEnabled: isReachable && !client.volume.muted && group?.isMuted != true, attributes: attributes)
    }

    mutating func setEnabled(_ id: String, _ isEnabled: Bool) {
        if let group = shownGroup(id) { return setGroupEnabled(group, isEnabled) }
        change(id) { $0.muted = !isEnabled }
        guard isEnabled, let client = clients.first(where: { $0.id == id }) else { return }
        // A group's silence is the silence of all its clients; the others keep theirs by being muted themselves.
        if group(client.group)?.isMuted == true {
            for other in members(client.group) where other.id != id { change(other.id) { $0.muted = true } }
            setMuted(client.group, false)
        }
        putToStream(client.group)
    }

    mutating func setVolume(_ id: String, _ percent: Int) {
        if let group = shownGroup(id) { setGroupVolume(group, percent) } else { change(id) { $0.percent = percent } }
    }

    /// Sets by how many milliseconds a client plays earlier; false for what is no client with a latency.
    mutating func setLatency(_ id: String, _ latency: Int) -> Bool {
        guard let index = clients.firstIndex(where: { $0.id == id && $0.latency != nil }) else { return false }
        clients[index].latency = latency
        waiting.removeAll { $0 == .status }
        ask(.setLatency(client: id, latency))
        // The server takes no more than its buffer allows.
        ask(.status)
        return true
    }

    // MARK: Changes

    func group(_ id: String) -> Group? { groups.first { $0.id == id } }
    func members(_ group: String) -> [Client] { clients.filter { $0.group == group } }

    mutating func change(_ id: String, _ body: (inout SnapcastMessage.Volume) -> Void) {
        guard let index = clients.firstIndex(where: { $0.id == id }) else { return }
        body(&clients[index].volume)
        ask(.setVolume(client: id, clients[index].volume))
    }

    mutating func setMuted(_ id: String, _ isMuted: Bool) {
        guard let index = groups.firstIndex(where: { $0.id == id }) else { return }
        groups[index].isMuted = isMuted
        ask(.setMute(group: id, isMuted))
    }

    mutating func putToStream(_ id: String) {
        guard let stream, let index = groups.firstIndex(where: { $0.id == id }), groups[index].stream != stream else {
            return
        }
        groups[index].stream = stream
        ask(.setStream(group: id, stream))
    }

    private mutating func ask(_ request: SnapcastRequest) {
        if let setting = request.setting {
            // Only the last of many quick changes is worth sending.
            waiting.removeAll { $0.setting == setting }
        } else if waiting.contains(request) {
            return
        }
        waiting.append(request)
    }

    // MARK: What the server says

    /// The requests that are to be sent now, each with the number that its answer has.
    mutating func takeRequests() -> [(number: Int, request: SnapcastRequest)] {
        defer { waiting = [] }
        return waiting.map { request in
            lastNumber += 1
            if let setting = request.setting { unanswered[setting] = lastNumber }
            if request == .status { inquiry = .sent(lastNumber) }
            return (lastNumber, request)
        }
    }

    /// The connection stands: what was wished meanwhile comes first, then the state of things is asked for.
    mutating func connected() { ask(.status) }
    /// The connection broke, or can't be made; what it was sent last may not have arrived.
    mutating func lost() { (isReachable, unanswered, inquiry) = (false, [:], .none) }

    mutating func handle(_ message: SnapcastMessage) {
        // The server answers in order.
        if let number = message.id { unanswered = unanswered.filter { $0.value > number } }
        if message.result?.server != nil { inquiry = .none }
        if let server = message.result?.server ?? message.params?.server { return replace(server) }
        switch message.method {
        case "Client.OnVolumeChanged":
            guard let id = message.params?.id, let volume = message.params?.volume, !isWished(.volume(id))
            else { return }
            for index in clients.indices where clients[index].id == id { clients[index].volume = volume }
        case nil: if let error = message.error { refused(message.id, because: error) }
        default: if isAboutRooms(message.method) { ask(.status) }
        }
    }

    /// Takes in that the server refuses a request: what it should have set is as the server says.
    private mutating func refused(_ number: Int?, because error: SnapcastMessage.Failure) {
        guard case .sent(let status) = inquiry else { return ask(.status) }
        // The state is on its way, behind this answer.
        if let number, number < status { return }
        // Asked again, such a server would refuse as fast as it can.
        inquiry = .refused(SnapcastMessage.clean(error.message ?? "it gives no reason"))
    }

    private func isAboutRooms(_ method: String?) -> Bool {
        guard let method else { return false }
        return method.hasPrefix("Client.") || method.hasPrefix("Group.") || method.hasPrefix("Server.")
    }

    /// True if something was set here that the server has yet to take in.
    private func isWished(_ setting: SnapcastRequest.Setting) -> Bool {
        unanswered[setting] != nil || waiting.contains { $0.setting == setting }
    }

    /// Takes over what the server says, but for what was set here and it has yet to take in.
    private mutating func replace(_ server: SnapcastMessage.Server) {
        isReachable = true
        let wished = Set(unanswered.keys).union(waiting.compactMap(\.setting))
        let taken = server.groups.prefix(SnapcastMessage.maxRooms)
        replaceClients(taken, wished)
        let known = Dictionary(groups.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        groups = taken.map { group in
            let before = known[group.id]
            var group = group
            (group.name, group.stream) = (SnapcastMessage.clean(group.name), SnapcastMessage.clean(group.stream))
            group.clients = []
            if let before, wished.contains(.mute(group.id)) { group.isMuted = before.isMuted }
            if let before, wished.contains(.stream(group.id)) { group.stream = before.stream }
            return group
        }
        let ids = Set(groups.map(\.id))
        balances = balances.filter { ids.contains($0.key) }
    }

    private mutating func replaceClients(_ groups: ArraySlice<Group>, _ wished: Set<SnapcastRequest.Setting>) {
        let known = Dictionary(
            clients.enumerated().map { ($1.id, (place: $0, client: $1)) }, uniquingKeysWith: { first, _ in first })
        var found: [Client] = []
        for group in groups {
            for var client in group.clients where found.count < SnapcastMessage.maxRooms {
                let before = known[client.id]?.client
                client.group = group.id
                if let before, wished.contains(.volume(client.id)) { client.volume = before.volume }
                if let before, wished.contains(.latency(client.id)) { client.latency = before.latency }
                found.append(client)
            }
        }
        // Those that are known keep their order, whatever group they go to.
        clients = found.enumerated().sorted {
            (known[$0.element.id]?.place ?? .max, $0.offset) < (known[$1.element.id]?.place ?? .max, $1.offset)
        }.map(\.element)
    }
}

extension SnapcastRooms {
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

    func shownGroup(_ room: String) -> Group? { shownGroups.first { Self.prefix + $0.id == room } }

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

    /// Moves all clients by the same share, so that their average is the volume; back, they find their balance.
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
        for (id, volume) in before { after[id] = Self.moved(Double(volume), to: Double(percent), from: average) }
        for member in members {
            guard let volume = after[member.id], volume != member.volume.percent else { continue }
            change(member.id) { $0.percent = volume }
        }
        balances[group.id] = Balance(before: before, after: after)
    }
    private static func moved(_ volume: Double, to wanted: Double, from average: Double) -> Int {
        if wanted == average { return Int(volume) }
        let moved =
            wanted < average ? volume * wanted / average : 100 - (100 - volume) * (100 - wanted) / (100 - average)
        return max(0, min(100, Int(moved.rounded())))
    }
}
