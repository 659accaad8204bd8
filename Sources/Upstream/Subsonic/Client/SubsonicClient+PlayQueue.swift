/// The queue that clients of the server save for each other.
package struct SubsonicPlayQueue: Hashable, Sendable {
    /// The songs' ids in order.
    package var songIDs: [String]
    /// The current song's place; nil when there is none.
    package var current: Int?
    /// How far into the current song, in milliseconds.
    package var position: Int64
    /// When it was saved, in the server's words.
    package var changed = ""

    /// Makes a queue.
    package init(songIDs: [String], current: Int? = nil, position: Int64 = 0) {
        (self.songIDs, self.current, self.position) = (songIDs, current, position)
    }
}

extension SubsonicClient {
    /// Saves the queue for other clients of the server.
    /// - Parameters:
    ///   - queue: at least one song, and no more than the server takes parameters, 10,000 with those of the credential.
    ///   - byIndex: names the current song by its place, which the extension `indexBasedQueue` knows; otherwise by its
    ///     id, which is not exact when a song is there twice.
    package func savePlayQueue(_ queue: SubsonicPlayQueue, byIndex: Bool) async throws {
        var call = SubsonicCall(
            byIndex ? "savePlayQueueByIndex" : "savePlayQueue", ["position": String(queue.position)])
        if let current = queue.current, queue.songIDs.indices.contains(current) {
            call.parameters.append(byIndex ? ("currentIndex", String(current)) : ("current", queue.songIDs[current]))
        }
        _ = try await perform(call.with("id", queue.songIDs))
    }

    /// The queue that was saved last; nil when there is none.
    /// - Parameter byIndex: as for saving.
    package func playQueue(byIndex: Bool) async throws -> SubsonicPlayQueue? {
        let call = SubsonicCall(byIndex ? "getPlayQueueByIndex" : "getPlayQueue")
        return try await value(call, byIndex ? "playQueueByIndex" : "playQueue")
    }
}

extension SubsonicPlayQueue: JSONReadable {
    init?(_ reader: inout JSONReader) throws {
        self.init(songIDs: [])
        var currentID: String?
        try reader.members { reader, name in
            switch name {
            case "entry": songIDs = try reader.list { try $0.id() }
            case "current": currentID = try reader.text()
            case "currentIndex": current = try reader.notNegative()
            case "position": position = Int64(try reader.notNegative() ?? 0)
            case "changed": changed = try reader.text() ?? ""
            default: try reader.skip()
            }
        }
        if songIDs.isEmpty { return nil }
        if current == nil, let currentID { current = songIDs.firstIndex(of: currentID) }
        if let index = current, !songIDs.indices.contains(index) { current = nil }
    }
}
