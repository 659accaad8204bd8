import MPDProtocol
import MusicModel
import NIOHTTP1
import Playback
import ServerLoop
import WebServer

/// Playing, pausing, moving on, volume and options.
enum PlayerResource {
    static let routes = [
        Route(.POST, "/api/player/play", .player) { request in
            let body = try await request.body()
            if let id = try body.text("queueId") {
                try await request.run([["playid", id]])
            } else if let position = try body.integer("position") {
                try await request.run([["play", String(position)]])
            } else {
                try await request.run([["play"]])
            }
            return .done
        },
        Route(.POST, "/api/player/pause", .player) { request in
            try await request.run([["pause", "1"]])
            return .done
        },
        Route(.POST, "/api/player/toggle", .player) { request in
            let isStopped = try await request.partition().player.status.state == .stop
            try await request.run([isStopped ? ["play"] : ["pause"]])
            return .done
        },
        plain("next"), plain("previous"), plain("stop"),
        Route(.POST, "/api/player/seek", .player) { request in
            let body = try await request.body()
            if let to = try body.number("to") {
                guard to >= 0 else { throw APIError.wrong("to", "There is no time before the beginning.") }
                try await request.run([["seekcur", decimal(to)]])
            } else if let by = try body.number("by") {
                try await request.run([["seekcur", (by < 0 ? "-" : "+") + decimal(abs(by))]])
            } else {
                throw APIError.wrong("to", "Say where to, with \"to\" or \"by\" in seconds.")
            }
            return .done
        },
        Route(.POST, "/api/player/volume", .player) { request in
            let body = try await request.body()
            if let to = try body.integer("to") {
                try await request.run([["setvol", String(to)]])
            } else if let by = try body.integer("by") {
                try await request.run([["volume", String(by)]])
            } else {
                throw APIError.wrong("to", "Say how loud, with \"to\" or \"by\" from 0 to 100.")
            }
            return .done
        },
        Route(.POST, "/api/player/sleep", .player) { request in
            guard case .object(let fields) = try await request.body(), let minutes = fields["minutes"],
                minutes == .null || minutes.number.map({ (0...1440).contains($0) }) == true
            else { throw APIError.wrong("minutes", "Say when, with \"minutes\" up to 1440, or null for no sleep.") }
            try await request.run([["sleeptimer", decimal(minutes.number ?? 0)]])
            return .done
        },
        Route(.POST, "/api/player/options", .player) { request in
            try await request.run(try options(try await request.body()))
            return .done
        },
    ]

    private static func plain(_ command: String) -> Route {
        Route(.POST, "/api/player/\(command)", .player) { request in
            try await request.run([[command]])
            return .done
        }
    }

    /// The commands that set options.
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
        let rest = String(thousandths % 1000)
        let zeros = String(repeating: "0", count: 3 - rest.count)
        return (number < 0 ? "-" : "") + "\(thousandths / 1000).\(zeros)\(rest)"
    }
}
