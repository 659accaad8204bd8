import LibraryIndex
import MPDProtocol
import MusicModel
import Playback
import ServerLoop
import UserLibrary

extension Command {
    /// Forgets the error that `status` shows; trouble with the library's server shows again when it changes.
    static let clearError = immediate("clearerror", .player, since: "before 0.12") { context, _ in
        context.player.clearError()
        context.server.setServerProblem(nil)
    }

    static let currentSong = suspending("currentsong", .read, since: "before 0.12") { context, response in
        guard let position = context.player.current?.position else { return }
        let entries = context.player.entries
        try await response.queueEntries(entries, at: position..<position + 1, in: context)
    }

    static let idle = Command("idle", .read, 0...Int.max, "[SUBSYSTEMS...]", since: "0.14") { arguments in
        let subsystems = try arguments.subsystems()
        return .idle(subsystems)
    }

    /// Shows sizes of the library and times of the server. `uptime` starts at 1: clients take 0 for another server.
    static let stats = suspending("stats", .read, since: "before 0.12") { context, response in
        let server = context.server
        let library = try await server.library.index.statistics()
        response.line("uptime: ", max(1, (ContinuousClock.now - server.startTime).components.seconds))
        response.line("playtime: ", (server.parts.partitionHost?.playtime ?? .zero).roundedSeconds)
        response.line("artists: ", library.artists)
        response.line("albums: ", library.albums)
        response.line("songs: ", library.songs)
        response.line("db_playtime: ", library.playtime.components.seconds)
        response.line("db_update: ", library.updated)
    }

    /// Shows what the player does and how its options stand, in MPD's order; costs the same whatever the queue's size.
    static let status = immediate("status", .read, since: "before 0.12") { context, response in
        let status = context.player.status
        response.options(of: status, partition: context.client.partition.name)
        if let song = status.song {
            response.line("song: ", song.position)
            response.line("songid: ", song.id.rawValue)
        }
        if status.state != .stop { response.progress(of: status) }
        if let job = context.server.parts.updating.runningJob { response.line("updating_db: ", job) }
        // The error of what a listener just tried comes before one of the server, which has lasted longer.
        let advice = status.queueLength == 0 ? context.server.facts.missingSourceAdvice : nil
        if let error = status.error ?? context.server.serverProblem ?? advice {
            response.line("error: ", error)
        }
        if let position = status.nextPosition, let id = status.nextID {
            response.line("nextsong: ", position)
            response.line("nextsongid: ", id.rawValue)
        }
    }
}

extension ResponseWriter {
    fileprivate mutating func options(of status: PlayerStatus, partition: String) {
        line("volume: ", status.volume)
        line("repeat: ", status.isRepeating)
        line("random: ", status.isRandom)
        line("single: ", status.single.rawValue)
        line("consume: ", status.consume.rawValue)
        line("partition: ", partition)
        line("playlist: ", status.queueVersion)
        line("playlistlength: ", status.queueLength)
        line("mixrampdb: ", decimal: status.mixRampThreshold)
        line("state: ", status.state.rawValue)
        line("lastloadedplaylist: ", status.lastLoadedPlaylist)
        if status.crossfade > 0 { line("xfade: ", status.crossfade) }
        if status.speed != 1 { line("speed: ", decimal: status.speed) }
        if let rest = status.sleepsIn { line("sleep: ", rest) }
        if let delay = status.mixRampDelay, delay > 0 { line("mixrampdelay: ", decimal: delay) }
    }

    fileprivate mutating func progress(of status: PlayerStatus) {
        let elapsed = status.elapsed ?? .zero
        line("time: ", "\(elapsed.roundedSeconds):\(status.duration?.roundedSeconds ?? 0)")
        line("elapsed: ", elapsed)
        line("bitrate: ", status.bitRate ?? 0)
        if let duration = status.duration { line("duration: ", duration) }
        if let format = status.audioFormat { line("audio: ", format.wireText) }
    }
}
