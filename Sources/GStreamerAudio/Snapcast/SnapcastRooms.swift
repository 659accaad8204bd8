/// What is known of a Snapcast server's clients, and what is still to be told to it. A pure value.
struct SnapcastRooms: Sendable {
    private struct Client: Hashable, Sendable {
        var id: String
        var name: String
        var isConnected: Bool
        var volume: SnapcastMessage.Volume
        var group: String
        var groupName: String
        var isGroupMuted: Bool
        var stream: String
    }

    private var clients: [Client] = []
    /// Whether the server can be reached.
    private(set) var isReachable = false
    /// Requests that are to be sent, the oldest first.
    private var waiting: [SnapcastRequest] = []
    /// The stream that clients are put to when they are enabled.
    private let stream: String?

    init(stream: String?) { self.stream = stream }

    // MARK: What clients of ours see

    /// The clients as outputs.
    var rooms: [Room] {
        clients.map { client in
            var attributes = [
                "volume": String(client.volume.percent), "connected": isReachable && client.isConnected ? "1" : "0",
                "stream": client.stream,
            ]
            if !client.groupName.isEmpty { attributes["group"] = client.groupName }
            return Room(
                id: client.id, name: client.name,
                isEnabled: isReachable && !client.volume.muted && !client.isGroupMuted, attributes: attributes)
        }
    }

    /// Lets a client be heard, or not.
    mutating func setEnabled(_ id: String, _ isEnabled: Bool) {
        change(id) { $0.muted = !isEnabled }
        guard isEnabled, let client = clients.first(where: { $0.id == id }) else { return }
        // A group's silence is the silence of all its clients; the others keep theirs by being muted themselves.
        if client.isGroupMuted {
            for other in clients where other.group == client.group && other.id != id {
                change(other.id) { $0.muted = true }
            }
            for index in clients.indices where clients[index].group == client.group {
                clients[index].isGroupMuted = false
            }
            ask(.unmuteGroup(client.group))
        }
        if let stream, client.stream != stream {
            for index in clients.indices where clients[index].group == client.group { clients[index].stream = stream }
            ask(.setStream(group: client.group, stream))
        }
    }

    /// Sets a client's volume, 0 to 100.
    mutating func setVolume(_ id: String, _ percent: Int) { change(id) { $0.percent = percent } }

    private mutating func change(_ id: String, _ body: (inout SnapcastMessage.Volume) -> Void) {
        guard let index = clients.firstIndex(where: { $0.id == id }) else { return }
        body(&clients[index].volume)
        // Only the last of many quick changes is worth sending.
        waiting.removeAll { if case .setVolume(id, _) = $0 { true } else { false } }
        ask(.setVolume(client: id, clients[index].volume))
    }

    private mutating func ask(_ request: SnapcastRequest) {
        if !waiting.contains(request) { waiting.append(request) }
    }

    // MARK: What the server says

    /// What is to be sent now.
    mutating func takeRequests() -> [SnapcastRequest] {
        defer { waiting = [] }
        return waiting
    }

    /// The connection stands: what was wished meanwhile comes first, then the state of things is asked for.
    mutating func connected() { ask(.status) }

    /// The connection broke, or can't be made.
    mutating func lost() { isReachable = false }

    /// Takes in what the server says.
    mutating func heed(_ message: SnapcastMessage) {
        if let server = message.result?.server ?? message.params?.server { return replace(server) }
        switch message.method {
        case "Client.OnVolumeChanged":
            guard let id = message.params?.id, let volume = message.params?.volume, !isWished(id) else { return }
            for index in clients.indices where clients[index].id == id { clients[index].volume = volume }
        case nil: if message.error != nil { ask(.status) }
        default: if isAboutRooms(message.method) { ask(.status) }
        }
    }

    private func isAboutRooms(_ method: String?) -> Bool {
        guard let method else { return false }
        return method.hasPrefix("Client.") || method.hasPrefix("Group.") || method.hasPrefix("Server.")
    }

    /// Whether another volume was set here and is still to be sent.
    private func isWished(_ id: String) -> Bool {
        waiting.contains { if case .setVolume(id, _) = $0 { true } else { false } }
    }

    private mutating func replace(_ server: SnapcastMessage.Server) {
        isReachable = true
        var found: [Client] = []
        for group in server.groups {
            for client in group.clients {
                let wished = isWished(client.id) ? clients.first { $0.id == client.id }?.volume : nil
                found.append(
                    Client(
                        id: client.id, name: client.displayName, isConnected: client.connected,
                        volume: wished ?? client.config.volume, group: group.id, groupName: group.name,
                        isGroupMuted: group.muted, stream: group.stream))
            }
        }
        // Those that are known keep their order, whatever group they go to.
        let order = Dictionary(clients.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        clients = found.enumerated().sorted {
            (order[$0.element.id] ?? .max, $0.offset) < (order[$1.element.id] ?? .max, $1.offset)
        }.map(\.element)
    }
}
