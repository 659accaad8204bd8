import MPDCommands
import MPDProtocol
import MusicModel
import NIOHTTP1
import Playback
import ServerLoop
import WebServer

enum QueueEditResource {
    static let routes = [
        Route(.POST, "/api/queue", .add) { request in
            let body = try await request.body()
            let addition = try QueueAddition(body)
            if addition.replaces || addition.plays { try request.need(.player) }
            let (added, version, undo, ids) = try await add(addition, request)
            return .object { json in
                json.field("added", added)
                json.field("version", version)
                json.field("undo", undo)
                if !ids.isEmpty, ids.count <= CommandRunner.limit {
                    json.array("queueIds", ids) { $0.value(String($1.rawValue)) }
                }
            }
        },
        Route(.PATCH, "/api/queue", .player) { request in
            let body = try await request.body()
            let ids = try ids(body)
            let target = try targets(body, ids.count)
            try await check(body.version(), request)
            let (commands, places) = try await moves(of: ids, to: target, request)
            try await request.run(commands)
            return try await answer(request) { json in json.array("places", places) { $0.value($1) } }
        },
        Route(.DELETE, "/api/queue", .player) { request in
            let body = try await request.body()
            let ids = try body.bool("all") == true ? nil : try ids(body)
            try await check(body.version(), request)
            let partition = try await request.partition()
            let undo = try await request.api.snapshots.keeping(partition, joining: try body.text("undo")) {
                guard let ids else {
                    _ = try await request.run([["clear"]])
                    return
                }
                try await remove(ids, from: partition.player, request)
            }.undo
            return try await answer(request) { $0.field("undo", undo) }
        },
        Route(.POST, "/api/queue/shuffle", .player) { request in
            let partition = try await request.partition()
            let undo = try await request.api.snapshots.keeping(partition) { try await request.run([["shuffle"]]) }.undo
            return try await answer(request) { $0.field("undo", undo) }
        },
        Route(.POST, "/api/queue/undo", .player) { request in
            let id = try await request.body().required("undo", "Say what to take back, with the \"undo\" of an answer.")
            try await request.api.snapshots.undo(id, request.partition())
            return try await answer(request)
        },
    ]

    /// Puts songs into the queue, or in place of all there are, as one edit: others see all of them or none, and where
    /// the songs can't be had the queue stays as it was.
    @ServerActor
    private static func add(
        _ addition: QueueAddition, _ request: APIRequest
    ) async throws -> (added: Int, version: Int, undo: String?, ids: [QueueEntryID]) {
        try check(addition.version, request)
        let partition = try request.partition()
        let (player, before) = (partition.player, partition.player.count)
        let start = addition.start(in: player)
        let commands = try await addition.commands(request, at: addition.replaces ? nil : start)
        var (added, undo, ids): (Int?, String?, [QueueEntryID]) = (nil, nil, [])
        // A single command reads the library before it edits, and others may edit meanwhile.
        if !addition.replaces, commands.count == 1, addition.version == nil {
            undo = try await request.api.snapshots.keeping(partition, joining: addition.undo) {
                try await request.run(commands)
            }.undo
        } else {
            (ids, undo) = try await addAtOnce(commands, addition, at: start, partition, request)
            if addition.replaces { (added, ids) = (ids.count, []) }
        }
        let (count, version) = (added ?? max(0, player.count - before), Int(player.status.queueVersion))
        if addition.plays, count > 0 { try await request.run([["play", String(start ?? player.count - count)]]) }
        return (count, version, undo, ids)
    }

    /// Gathers the songs of commands, and edits once all of them are there.
    @ServerActor
    private static func addAtOnce(
        _ commands: [[String]], _ addition: QueueAddition, at start: Int?, _ partition: Partition, _ request: APIRequest
    ) async throws -> (ids: [QueueEntryID], undo: String?) {
        let player = partition.player
        let collector = SongCollector(limit: player.queueLimit)
        // It holds the memory that is set aside for them.
        defer { withExtendedLifetime(collector) {} }
        try await request.run(commands, collector: collector)
        let songs = ReleasedOffLoop(await collector.takeSongs())
        if addition.replaces, songs.value.isEmpty { return ([], nil) }
        let (ids, undo) = try await request.api.snapshots.keeping(partition, joining: addition.undo) {
            () async throws -> [QueueEntryID] in
            try check(addition.version, request)
            if addition.replaces {
                return try await player.edit(.all(and: songs.value.count)) { try $0.replace(songs.value) }
            }
            // The queue may have become shorter meanwhile.
            let position = start.map { QueuePosition.absolute(min($0, player.count)) }
            return try await player.edit(.entries(songs.value.count)) { try $0.insert(songs.value, at: position) }
        }
        return (ids, undo)
    }

    static func ids(_ body: JSONValue) throws(APIError) -> [String] {
        guard let ids = body["ids"]?.array, !ids.isEmpty, ids.count <= CommandRunner.limit else {
            throw .wrong("ids", "Say which entries, with \"ids\" as a list of queueIds.")
        }
        var texts: [String] = []
        for id in ids {
            guard let text = id.text ?? id.integer.map({ String($0) }), UInt32(text) != nil else {
                throw .wrong("ids", "A queueId is a number.")
            }
            texts.append(text)
        }
        return texts
    }

    /// Removes all of these entries as one edit, or none where one of them is not there.
    @ServerActor
    private static func remove(_ ids: [String], from player: Player, _ request: APIRequest) async throws {
        let entries = ids.compactMap { UInt32($0) }.map(QueueEntryID.init(rawValue:))
        let missing = zip(ids, entries).first { player.position(of: $1) == nil }
        // The command knows what to say of it, as of a single one.
        if let id = missing?.0 ?? (ids.count == 1 ? ids[0] : nil) {
            _ = try await request.run([["deleteid", id]])
            return
        }
        try await player.edit(entries.count > 1 ? .all() : .entries(1)) { $0.delete(entries) }
    }

    /// Makes sure that the client edits the queue that it has seen.
    @ServerActor
    private static func check(_ version: Int?, _ request: APIRequest) throws(APIError) {
        guard let version else { return }
        let current = Int(try request.partition().player.status.queueVersion)
        guard version != current else { return }
        var error = APIError(.conflict, code: .exist, "The queue has changed meanwhile.", field: "version")
        (error.version, error.name) = (current, "queue_changed")
        throw error
    }

    /// The place for each of the entries, and the error where the queue ends before one.
    private static func targets(
        _ body: JSONValue, _ count: Int
    ) throws(APIError) -> (places: [Int], refusal: APIError) {
        if let places = body["places"]?.array {
            let numbers = places.compactMap(\.integer)
            guard numbers.count == count, places.count == count, numbers.allSatisfy({ $0 >= 0 }),
                Set(numbers).count == count
            else { throw .wrong("places", "places is a list of different places, one for each of the ids.") }
            return (numbers, .wrong("places", "The queue has no such place."))
        }
        guard let position = try body.integer("to"), position >= 0 else {
            throw .wrong("to", "Say where to, with a place from 0.")
        }
        let start = min(position, Int(UInt32.max))
        return (Array(start..<start + count), .wrong("to", "The queue has no room behind that place for all of them."))
    }

    /// The commands that bring entries to their places once all have moved, and their present places, in order.
    @ServerActor
    private static func moves(
        of ids: [String], to target: (places: [Int], refusal: APIError), _ request: APIRequest
    ) throws -> (commands: [[String]], places: [Int]) {
        let player = try request.partition().player
        let positions = try ids.map { id in
            guard let position = UInt32(id).flatMap({ player.position(of: QueueEntryID(rawValue: $0)) }) else {
                throw APIError.missing("There is no entry \(id) in the queue.")
            }
            return position
        }
        guard Set(positions).count == ids.count else { throw APIError.wrong("ids", "An entry is named twice.") }
        let places = target.places
        guard places.allSatisfy({ $0 < player.count }) else { throw target.refusal }
        let order = places.indices.sorted { places[$0] < places[$1] }
        let destinations = destinations(of: order.map { positions[$0] }, toEach: order.map { places[$0] })
        return (zip(order, destinations).map { ["moveid", ids[$0], String($1)] }, positions)
    }

    /// Where single moves, one after the other, have to go for entries to stand at `targets`, which ascend, in the end.
    static func destinations(of positions: [Int], toEach targets: [Int]) -> [Int] {
        // How many of the entries that stay where they are come before each of those that move.
        let sorted = positions.enumerated().sorted { $0.element < $1.element }
        var before = [Int](repeating: 0, count: positions.count)
        for (rank, moved) in sorted.enumerated() { before[moved.offset] = moved.element - rank }
        // Those that are still to be moved push the others up as long as they stand in front of them.
        var (waiting, passed) = (0, 0)
        return targets.enumerated().map { index, target in
            // Number of remaining entries before this one.
            let front = target - index
            while passed < sorted.count, before[sorted[passed].offset] < front {
                if sorted[passed].offset >= index { waiting += 1 }
                passed += 1
            }
            if before[index] < front { waiting -= 1 }
            return target + waiting
        }
    }

    private static func answer(
        _ request: APIRequest, more: (inout JSONWriter) -> Void = { _ in }
    ) async throws -> HTTPResponse {
        let status = try await request.partition().player.status
        return .object { json in
            json.field("version", Int(status.queueVersion))
            json.field("length", status.queueLength)
            more(&json)
        }
    }
}

extension JSONValue {
    /// The version of the queue that an edit is for; nil for any.
    func version() throws(APIError) -> Int? {
        guard let value = self["version"] else { return nil }
        guard let version = value.integer else { throw .wrong("version", "The version is a number.") }
        return version
    }
}
