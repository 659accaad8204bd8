import MPDCommands
import MPDProtocol
import MusicModel
import NIOHTTP1
import Playback
import ServerLoop

enum PlayerResource {
    static let routes: [Route] = [
        .running(.POST, "/api/player/play", .player) { request in
            let body = try await request.body()
            if let id = try body.text("queueId") { return [["playid", id]] }
            return [["play"] + (try body.integer("position").map { [String($0)] } ?? [])]
        },
        .running(.POST, "/api/player/pause", .player) { _ in [["pause", "1"]] },
        .running(.POST, "/api/player/toggle", .player) { request in
            let isStopped = try await request.partition().player.status.state == .stop
            return [isStopped ? ["play"] : ["pause"]]
        },
        .running(.POST, "/api/player/next", .player) { _ in [["next"]] },
        .running(.POST, "/api/player/previous", .player) { _ in [["previous"]] },
        .running(.POST, "/api/player/stop", .player) { _ in [["stop"]] },
        .running(.POST, "/api/player/seek", .player) { request in
            let body = try await request.body()
            if let to = try body.number("to") {
                guard to >= 0 else { throw APIError.wrong("to", "There is no time before the beginning.") }
                return [["seekcur", decimal(to)]]
            }
            guard let by = try body.number("by") else {
                throw APIError.wrong("to", "Say where to, with \"to\" or \"by\" in seconds.")
            }
            return [["seekcur", (by < 0 ? "-" : "+") + decimal(abs(by))]]
        },
        .running(.POST, "/api/player/volume", .player) { request in
            let body = try await request.body()
            if let to = try body.integer("to") { return [["setvol", String(to)]] }
            guard let by = try body.integer("by") else {
                throw APIError.wrong("to", "Say how loud, with \"to\" or \"by\" from 0 to 100.")
            }
            return [["volume", String(by)]]
        },
        .running(.POST, "/api/player/sleep", .player) { request in
            guard case .object(let fields) = try await request.body(), let minutes = fields["minutes"],
                minutes == .null || minutes.number.map({ (0...1440).contains($0) }) == true
            else { throw APIError.wrong("minutes", "Say when, with \"minutes\" up to 1440, or null for no sleep.") }
            return [["sleeptimer", decimal(minutes.number ?? 0)]]
        },
        .running(.POST, "/api/player/options", .player) { try options(try await $0.body()) },
    ]

    static func options(_ body: JSONValue) throws(APIError) -> [[String]] {
        guard case .object(let fields) = body else { return [] }
        var commands: [[String]] = []
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { commands.append(try option(name, value)) }
        guard !commands.isEmpty else { throw .wrong("repeat", "There is no option in the body.") }
        return commands
    }

    private static func option(_ name: String, _ value: JSONValue) throws(APIError) -> [String] {
        switch (name, value) {
        case ("repeat", .bool(let isOn)), ("random", .bool(let isOn)): return [name, isOn ? "1" : "0"]
        case ("single", .text(let word)), ("consume", .text(let word)):
            guard let state = ["off": "0", "on": "1", "oneshot": "oneshot"][word] else {
                throw .wrong(name, "\(name) is off, on or oneshot.")
            }
            return [name, state]
        case ("crossfade", .number(let seconds)): return [name, decimal(seconds)]
        case ("mixrampDb", .number(let decibels)): return ["mixrampdb", decimal(decibels)]
        case ("mixrampDelay", .number(let seconds)): return ["mixrampdelay", decimal(seconds)]
        case ("mixrampDelay", .null): return ["mixrampdelay", "nan"]
        case ("speed", .number(let factor)): return ["speed", decimal(factor)]
        case ("replayGain", .text(let mode)): return ["replay_gain_mode", mode]
        default: throw .wrong(name, "There is no option \(name) with such a value.")
        }
    }

    /// A number as MPD's commands take it, never with an exponent.
    static func decimal(_ number: Double) -> String {
        if let whole = Int(exactly: number) { return String(whole) }
        guard number.isFinite, abs(number) < 1e9 else { return "x" }
        let thousandths = Int((abs(number) * 1000).rounded())
        return (number < 0 ? "-" : "") + "\(thousandths / 1000).\((thousandths % 1000).padded(to: 3))"
    }
}

/// Transferring playback: another partition continues with this one's queue, at the same position.
enum TransferResource {
    static let routes = [
        Route(.POST, "/api/player/transfer", [.add, .player]) { request in
            let name = try await request.body().required("to", "Say where to, with \"to\" as the name of a partition.")
            let source = try await request.partition()
            let target = try await request.api.partition(named: name)
            guard source !== target else { throw APIError.wrong("to", "The music plays there already.") }
            let rooms = try await transfer(from: source, to: target, request)
            return .object { $0.field("outputs", rooms) }
        }
    ]

    /// Copies queue, options and place, pauses here, and returns how many outputs there will be heard on. Large queues
    /// are copied elsewhere, and other clients' commands may come in between.
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
        return ["seek", "\(position)", "\(milliseconds / 1000).\((milliseconds % 1000).padded(to: 3))"]
    }
}
