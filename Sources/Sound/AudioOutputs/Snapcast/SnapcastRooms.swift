import Outputs

/// The clients and groups of a Snapcast server, and what is still to be told to it. A pure value.
struct SnapcastRooms: Sendable {
    struct Client: Hashable, Sendable {
        var id: String
        var name: String
        var isConnected: Bool
        var volume: SnapcastMessage.Volume
        /// In milliseconds; nil where the server has none.
        var latency: Int?
        var group: String
    }

    struct Group: Hashable, Sendable {
        var id: String
        var name: String
        var isMuted: Bool
        var stream: String
    }

    /// How it stands with the request for the server's state.
    enum Inquiry: Hashable, Sendable {
        /// Nothing is awaited.
        case none
        /// It was sent, under this number.
        case sent(Int)
        /// The server refused it, for this reason.
        case refused(String)
    }

    private(set) var clients: [Client] = []
    private(set) var groups: [Group] = []
    /// True if the server can be reached.
    private(set) var isReachable = false
    /// Requests that are to be sent, the oldest first.
    private var waiting: [SnapcastRequest] = []
    /// The number of the request that was sent last.
    private var lastNumber = 0
    /// The settings that the server has not answered yet, with the numbers of their newest requests: its news of them
    /// are older until then.
    private var unanswered: [SnapcastRequest.Setting: Int] = [:]
    /// The newest request for the state. Once it is refused, only another connection is worth a try.
    private(set) var inquiry = Inquiry.none
    /// The stream that clients are put to when they are enabled.
    private let stream: String?
    /// The choice of clients and groups that become outputs.
    let choice: SnapcastSettings.Rooms
    /// How loud the clients of a group were to each other when its volume was first set, by group.
    var balances: [String: Balance] = [:]

    init(stream: String?, choice: SnapcastSettings.Rooms = .all) { (self.stream, self.choice) = (stream, choice) }

    // MARK: What clients of ours see

    /// The outputs: clients, then groups.
    var rooms: [Room] {
        (choice == .groups ? [] : clients.map(room)) + shownGroups.map(room)
    }

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

    /// Lets a client or a group be heard, or not.
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

    /// Sets the volume of a client or a group, 0 to 100.
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

    /// Takes in what the server says.
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

    /// Chooses between a value that was set here, which the server has yet to take in, and the server's own.
    private struct Newest {
        /// The settings that the server has yet to take in.
        let wished: Set<SnapcastRequest.Setting>

        func value<Item, Value>(
            _ setting: SnapcastRequest.Setting, of known: Item?, _ path: KeyPath<Item, Value>, server: Value
        ) -> Value {
            if let known, wished.contains(setting) { known[keyPath: path] } else { server }
        }
    }

    private mutating func replace(_ server: SnapcastMessage.Server) {
        isReachable = true
        let newest = Newest(wished: Set(unanswered.keys).union(waiting.compactMap(\.setting)))
        let taken = server.groups.prefix(SnapcastMessage.maxRooms)
        replaceClients(taken, newest)
        let known = Dictionary(groups.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        groups = taken.map { new in
            Group(
                id: new.id, name: SnapcastMessage.clean(new.name),
                isMuted: newest.value(.mute(new.id), of: known[new.id], \.isMuted, server: new.muted),
                stream: newest.value(
                    .stream(new.id), of: known[new.id], \.stream, server: SnapcastMessage.clean(new.stream)))
        }
        let ids = Set(groups.map(\.id))
        balances = balances.filter { ids.contains($0.key) }
    }

    private mutating func replaceClients(_ groups: ArraySlice<SnapcastMessage.Group>, _ newest: Newest) {
        let known = Dictionary(
            clients.enumerated().map { ($1.id, (place: $0, client: $1)) }, uniquingKeysWith: { first, _ in first })
        var found: [Client] = []
        for group in groups {
            for client in group.clients where found.count < SnapcastMessage.maxRooms {
                let (id, before) = (client.id, known[client.id]?.client)
                found.append(
                    Client(
                        id: id, name: client.displayName, isConnected: client.connected,
                        volume: newest.value(.volume(id), of: before, \.volume, server: client.config.volume),
                        latency: newest.value(.latency(id), of: before, \.latency, server: client.config.latency),
                        group: group.id))
            }
        }
        // Those that are known keep their order, whatever group they go to.
        clients = found.enumerated().sorted {
            (known[$0.element.id]?.place ?? .max, $0.offset) < (known[$1.element.id]?.place ?? .max, $1.offset)
        }.map(\.element)
    }
}
