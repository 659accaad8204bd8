import MPDCommands
import MPDProtocol
import MusicModel
import NIOHTTP1
import Playback
import ServerLoop
import WebServer

/// Taking the music along: another partition goes on with this one's queue, at the very place.
enum TransferResource {
    static let routes = [
        Route(.POST, "/api/player/transfer", [.add, .player]) { request in
            guard let name = try await request.body().text("to") else {
                throw APIError.wrong("to", "Say where to, with \"to\" as the name of a partition.")
            }
            let source = try await request.partition()
            let target = try await request.api.partition(named: name)
            guard source !== target else { throw APIError.wrong("to", "The music plays there already.") }
            let rooms = try await transfer(from: source, to: target, request)
            return .json { $0.object { $0.field("outputs", rooms) } }
        }
    ]

    /// Copies queue, options and place, and pauses here.
    ///
    /// - Returns: how many outputs there will be heard on.
    /// - Isolation: ServerActor; large queues are copied elsewhere, and other clients' commands may come in between.
    @ServerActor
    private static func transfer(
        from source: Partition, to target: Partition, _ request: APIRequest
    ) async throws -> Int {
        let status = source.player.status
        guard status.queueLength > 0 else { throw APIError(.conflict, code: .noExist, "Nothing is in the queue here.") }
        let entries = source.player.entries
        let copies = ReleasedOffLoop(await QueueSnapshots.copies(of: entries))
        // No command has songs with their ranges and lengths; as one edit it happens as a whole, or not at all.
        try await target.player.edit(.all(and: copies.value.songs.count)) {
            try $0.replace(copies.value.songs, copies.value.priorities)
        }
        try await request.run(options(of: status), in: target)
        let rooms = target.player.engine.outputs.count(where: { $0.isEnabled && !$0.isMovedAway })
        guard let current = source.player.current, current.position < target.player.count else { return rooms }
        let elapsed = source.player.status.elapsed ?? .zero
        let beginning = beginning(at: current.position, elapsed, target.player)
        switch source.player.status.state {
        case .play:
            // Pausing first leaves no moment in which both are heard.
            try await request.run([["pause", "1"]], in: source)
            try await request.run([beginning], in: target)
        case .pause: try await request.run([beginning, ["pause", "1"]], in: target)
        case .stop: break
        }
        return rooms
    }

    private static func options(of status: PlayerStatus) -> [[String]] {
        [
            ["repeat", status.isRepeating ? "1" : "0"], ["single", status.single.rawValue],
            ["consume", status.consume.rawValue], ["random", status.isRandom ? "1" : "0"],
            ["speed", "\(status.speed)"],
        ]
    }

    /// The command that goes to a place; a station has none to go to.
    @ServerActor
    private static func beginning(at position: Int, _ elapsed: Duration, _ player: Player) -> [String] {
        guard player.entries[position].duration != nil else { return ["play", "\(position)"] }
        let milliseconds = max(0, Int(elapsed / .milliseconds(1)))
        return ["seek", "\(position)", "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"]
    }
}
