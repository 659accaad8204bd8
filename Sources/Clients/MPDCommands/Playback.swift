import MPDProtocol
import MusicModel
import Playback

extension Command {
    static let next = immediate("next", .player, since: "before 0.12") { context, _ in try context.player.next() }

    /// Pauses, resumes, or toggles; `OK` also when stopped.
    static let pause = Command("pause", .player, 0...1, "[STATE]", since: "before 0.12") { arguments in
        let isPaused = arguments.isEmpty ? nil : try arguments.boolean()
        return .immediate { context, _ in context.player.pause(isPaused) }
    }

    /// Plays the entry at a position, or resumes; -1 means none.
    static let play = Command("play", .player, 0...1, "[SONGPOS]", since: "before 0.12") { arguments in
        let position = arguments.isEmpty ? -1 : try arguments.integer()
        return .immediate { context, _ in try context.player.play(position: position == -1 ? nil : position) }
    }

    static let playID = Command("playid", .player, 0...1, "[SONGID]", since: "before 0.12") { arguments in
        let id = arguments.isEmpty ? -1 : try arguments.integer()
        return .immediate { context, _ in
            if id == -1 { return try context.player.play(id: nil) }
            guard let id = UInt32(exactly: id) else { throw AckError(.noExist, "No such song") }
            try context.player.play(id: QueueEntryID(rawValue: id))
        }
    }

    static let previous = immediate("previous", .player, since: "before 0.12") { context, _ in
        try context.player.previous()
    }

    /// Plays the entry at a position from a time on; stays paused when paused, starts when stopped.
    static let seek = Command("seek", .player, 2...2, "{SONGPOS} {TIME}", since: "before 0.12") { arguments in
        let position = try arguments.unsigned()
        let time = try arguments.time()
        return .immediate { context, _ in try context.player.seek(position: position, to: time) }
    }

    /// Moves within the current song; a sign makes it relative, and what would be before the start becomes 0.
    static let seekCur = Command("seekcur", .player, 1...1, "{TIME}", since: "0.17") { arguments in
        let target = try arguments.seekTarget()
        return .immediate { context, _ in
            switch target {
            case .absolute(let time): try context.player.seekCurrent(to: max(time, .zero), isRelative: false)
            case .relative(let time): try context.player.seekCurrent(to: time, isRelative: true)
            }
        }
    }

    static let seekID = Command("seekid", .player, 2...2, "{SONGID} {TIME}", since: "before 0.12") { arguments in
        let id = try arguments.entryID()
        let time = try arguments.time()
        return .immediate { context, _ in try context.player.seek(id: id, to: time) }
    }

    static let stop = immediate("stop", .player, since: "before 0.12") { context, _ in context.player.stop() }
}
