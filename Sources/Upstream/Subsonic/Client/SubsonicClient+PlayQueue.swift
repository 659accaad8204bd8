/// The queue that clients of the server save for each other.
package struct SubsonicPlayQueue: Hashable, Sendable {
    /// The songs' ids in order.
    package var songIDs: [String]
    /// The current song's place; nil when there is none.
    package var current: Int?
    /// How far into the current song, in milliseconds.
    package var position: Int64
    /// The client that saved it: the name that the client gave itself.
    package var changedBy: String
    /// When it was saved, in the server's words.
    package var changed: String

    /// Makes a queue.
    package init(
        songIDs: [String], current: Int? = nil, position: Int64 = 0, changedBy: String = "", changed: String = ""
    ) {
        self.songIDs = songIDs
        self.current = current
        self.position = position
        self.changedBy = changedBy
        self.changed = changed
    }
}

extension SubsonicClient {
    /// The name under which our calls are known to the server.
    package var clientName: String { transport.settings.clientName }

    /// Saves the queue for other clients of the server.
    ///
    /// - Parameters:
    ///   - queue: at least one song, and no more than the server takes parameters, 10,000 with those of the credential.
    ///   - byIndex: names the current song by its place, which the extension `indexBasedQueue` knows; otherwise by its
    ///     id, which is not exact when a song is there twice.
    package func savePlayQueue(_ queue: SubsonicPlayQueue, byIndex: Bool) async throws {
        var parameters = queue.songIDs.map { (name: "id", value: $0) }
        if let current = queue.current, queue.songIDs.indices.contains(current) {
            parameters.append(byIndex ? ("currentIndex", String(current)) : ("current", queue.songIDs[current]))
        }
        parameters.append(("position", String(queue.position)))
        let name = byIndex ? "savePlayQueueByIndex" : "savePlayQueue"
        _ = try await perform(SubsonicCall(name: name, parameters: parameters))
    }

    /// The queue that was saved last; nil when there is none.
    ///
    /// - Parameter byIndex: as for saving.
    package func playQueue(byIndex: Bool) async throws -> SubsonicPlayQueue? {
        let call = SubsonicCall(name: byIndex ? "getPlayQueueByIndex" : "getPlayQueue")
        let member: StaticString = byIndex ? "playQueueByIndex" : "playQueue"
        let found = try await value(call, member) { (reader) throws(JSONProblem) in try SubsonicPlayQueue(&reader) }
        guard let queue = found, !queue.songIDs.isEmpty else { return nil }
        return queue
    }
}

/// How saved queues are read.
extension SubsonicPlayQueue {
    private enum Member: String, CaseIterable {
        case entry, current, currentIndex, position, changed, changedBy
    }

    private static let names = MemberNames<Member>()
    private static let entryNames = MemberNames<EntryMember>()

    private enum EntryMember: String, CaseIterable {
        case id
    }

    /// Reads a queue; an empty one where there is no object.
    init(_ reader: inout JSONReader) throws(JSONProblem) {
        var queue = SubsonicPlayQueue(songIDs: [])
        var currentID: String?
        try reader.members { (reader, name) throws(JSONProblem) in
            switch Self.names[name] {
            case .entry: queue.songIDs = try Self.ids(&reader)
            case .current: currentID = try reader.text()
            case .currentIndex: queue.current = try reader.notNegative()
            case .position: queue.position = Int64(try reader.notNegative() ?? 0)
            case .changed: queue.changed = try reader.text() ?? ""
            case .changedBy: queue.changedBy = try reader.text() ?? ""
            case nil: try reader.skip()
            }
        }
        if queue.current == nil, let currentID { queue.current = queue.songIDs.firstIndex(of: currentID) }
        if let current = queue.current, !queue.songIDs.indices.contains(current) { queue.current = nil }
        self = queue
    }

    private static func ids(_ reader: inout JSONReader) throws(JSONProblem) -> [String] {
        var ids: [String] = []
        try reader.elements { (reader) throws(JSONProblem) in
            try reader.members { (reader, name) throws(JSONProblem) in
                guard entryNames[name] == .id else { return try reader.skip() }
                if let id = try reader.nonEmptyText() { ids.append(id) }
            }
        }
        return ids
    }
}
