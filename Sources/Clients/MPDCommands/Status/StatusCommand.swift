import LibraryIndex
import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Shows what the player does and how its options stand.
///
/// - Wire: `status` → lines in MPD's order, of which `volume` is always there. `error` also says what is wrong with the
///   library's server.
/// - Isolation: ServerActor; does not suspend, costs the same whatever the queue's size.
/// - Source: MPD v0.24.13 src/command/PlayerCommands.cxx `handle_status`.
struct StatusCommand: ImmediateCommand {
    static let name: StaticString = "status"
    static let permission = Permission.read
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {
        let status = context.player.status
        writeOptions(of: status, partition: context.client.partition.name, to: &response)
        if let song = status.song {
            response.line("song: ", song.position)
            response.line("songid: ", song.id.rawValue)
        }
        if status.state != .stop { writeProgress(of: status, to: &response) }
        if let job = context.server.updating.runningJob { response.line("updating_db: ", job) }
        // The error of what a listener just tried comes before one of the server, which has lasted longer.
        if let error = status.error ?? context.server.serverTrouble ?? advice(status, context.server) {
            response.line("error: ", error)
        }
        if let position = status.nextPosition, let id = status.nextID {
            response.line("nextsong: ", position)
            response.line("nextsongid: ", id.rawValue)
        }
    }

    @ServerActor private func advice(_ status: PlayerStatus, _ server: ServerContext) -> String? {
        status.queueLength == 0 ? server.missingSourceAdvice : nil
    }

    private func writeOptions(of status: PlayerStatus, partition: String, to response: inout ResponseWriter) {
        response.line("volume: ", status.volume)
        response.line("repeat: ", status.isRepeating)
        response.line("random: ", status.isRandom)
        response.line("single: ", status.single.rawValue)
        response.line("consume: ", status.consume.rawValue)
        response.line("partition: ", partition)
        response.line("playlist: ", status.queueVersion)
        response.line("playlistlength: ", status.queueLength)
        response.line("mixrampdb: ", decimal: status.mixRampThreshold)
        response.line("state: ", status.state.rawValue)
        response.line("lastloadedplaylist: ", status.lastLoadedPlaylist)
        if status.crossfade > 0 { response.line("xfade: ", status.crossfade) }
        if status.speed != 1 { response.line("speed: ", decimal: status.speed) }
        if let rest = status.sleepsIn { response.line("sleep: ", rest) }
        if let delay = status.mixRampDelay, delay > 0 { response.line("mixrampdelay: ", decimal: delay) }
    }

    private func writeProgress(of status: PlayerStatus, to response: inout ResponseWriter) {
        let elapsed = status.elapsed ?? .zero
        response.line("time: ", "\(elapsed.roundedSeconds):\(status.duration?.roundedSeconds ?? 0)")
        response.line("elapsed: ", elapsed)
        response.line("bitrate: ", status.bitRate ?? 0)
        if let duration = status.duration { response.line("duration: ", duration) }
        if let format = status.audioFormat { response.line("audio: ", format.wireText) }
    }
}
