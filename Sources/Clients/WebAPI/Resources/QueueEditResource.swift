import MPDProtocol
import MusicModel
import NIOHTTP1
import Playback
import ServerLoop
import WebServer

/// Adding to the queue, moving in it and removing from it.
enum QueueEditResource {
    static let routes = [
        Route(.POST, "/api/queue", .add) { request in
            let body = try request.body()
            let addition = try QueueAddition(body)
            if addition.replaces || addition.plays { try request.need(.player) }
            let before = try await length(request)
            let start = try await addition.start(in: request.partition().player)
            if addition.replaces { try await request.run([["clear"]]) }
            try await request.run(try await addition.commands(request, at: start))
            let (after, version) = try await state(request)
            let added = max(0, after - (addition.replaces ? 0 : before))
            if addition.plays, added > 0 { try await request.run([["play", String(start ?? after - added)]]) }
            return .json { json in
                json.object { json in
                    json.field("added", added)
                    json.field("version", version)
                }
            }
        },
        Route(.PATCH, "/api/queue", .player) { request in
            let body = try request.body()
            let ids = try ids(body)
            guard let to = body["to"]?.integer, to >= 0 else {
                throw APIError.wrong("to", "Say where to, with a place from 0.")
            }
            try await check(body, request)
            try await request.run(try await moves(of: ids, to: to, request))
            return try await answer(request)
        },
        Route(.DELETE, "/api/queue", .player) { request in
            let body = try request.body()
            try await check(body, request)
            if body["all"]?.bool == true {
                try await request.run([["clear"]])
            } else {
                try await request.run(try ids(body).map { ["deleteid", $0] })
            }
            return try await answer(request)
        },
        Route(.POST, "/api/queue/shuffle", .player) { request in
            try await request.run([["shuffle"]])
            return try await answer(request)
        },
    ]

    /// The entries that a body names.
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

    /// Makes sure that the client edits the queue that it has seen.
    @ServerActor
    private static func check(_ body: JSONValue, _ request: APIRequest) throws(APIError) {
        guard let version = body["version"]?.integer else { return }
        let current = Int(try request.partition().player.status.queueVersion)
        guard version != current else { return }
        var error = APIError(.conflict, code: .exist, "The queue has changed meanwhile.", field: "version")
        error.version = current
        throw error
    }

    /// The commands that bring entries to stand one behind the other from a place on, in the order in which they are
    /// named; the place is that of the first after the move.
    @ServerActor
    private static func moves(of ids: [String], to: Int, _ request: APIRequest) throws -> [[String]] {
        let player = try request.partition().player
        guard to <= player.count - ids.count else {
            throw APIError.wrong("to", "The queue has no room behind that place for all of them.")
        }
        let positions = try ids.map { id in
            guard let position = UInt32(id).flatMap({ player.position(of: QueueEntryID(rawValue: $0)) }) else {
                throw APIError.missing("There is no entry \(id) in the queue.")
            }
            return position
        }
        return zip(ids, destinations(of: positions, to: to)).map { ["moveid", $0, String($1)] }
    }

    /// Where single moves, one after the other, have to go, so that the entries at `positions` stand behind each other
    /// from `to` on in the end.
    static func destinations(of positions: [Int], to: Int) -> [Int] {
        // How many of the entries that stay where they are come before each of those that move.
        let sorted = positions.enumerated().sorted { $0.element < $1.element }
        var before = [Int](repeating: 0, count: positions.count)
        for (rank, moved) in sorted.enumerated() { before[moved.offset] = moved.element - rank }
        // Those that are still to be moved push the others up as long as they stand in front of them.
        var waiting = before.count { $0 < to }
        return before.enumerated().map { index, count in
            if count < to { waiting -= 1 }
            return to + index + waiting
        }
    }

    @ServerActor
    private static func length(_ request: APIRequest) throws -> Int { try request.partition().player.count }

    @ServerActor
    private static func state(_ request: APIRequest) throws -> (length: Int, version: Int) {
        let player = try request.partition().player
        return (player.count, Int(player.status.queueVersion))
    }

    private static func answer(_ request: APIRequest) async throws -> HTTPResponse {
        let (length, version) = try await state(request)
        return .json { json in
            json.object { json in
                json.field("version", version)
                json.field("length", length)
            }
        }
    }
}
