import MusicModel
package import Playback
package import ServerLoop

/// A wish of the desktop's user.
package enum MediaCommand: Hashable, Sendable {
    case next
    case previous
    case play
    case pause
    case playPause
    case stop
    /// Moves within the song by so much.
    case seek(by: Duration)
    /// Goes to a place in the song that is this entry of the queue; nothing when it no longer is.
    case setPosition(entry: UInt32, Duration)
    case setRandom(Bool)
    /// Repeats nothing, the queue, or the song.
    case setLoop(isRepeating: Bool, isSingle: Bool)
    /// 0 to 100.
    case setVolume(Int)
    /// Plays what an address names, behind the current song.
    case open(uri: String)

    /// Carries it out; what can't be done now, such as seeking where nothing plays, is left undone, as MPRIS wants it.
    @ServerActor
    package func run(on player: Player) {
        switch self {
        case .next: try? player.next()
        case .previous: try? player.previous()
        case .play: play(player)
        case .pause: if player.isPlaying { player.pause(true) }
        case .playPause: player.isPlaying ? player.pause(true) : play(player)
        case .stop: player.stop()
        case .seek(let offset): try? player.seekCurrent(to: offset, isRelative: true)
        case .setPosition(let entry, let time):
            guard let current = player.current?.entry, current.id.rawValue == entry else { return }
            try? player.seek(id: current.id, to: time)
        case .setRandom(let isRandom): player.setRandom(isRandom)
        case .setLoop(let isRepeating, let isSingle):
            player.setRepeat(isRepeating)
            player.setSingle(isSingle ? .on : .off)
        case .setVolume(let volume): player.setVolume(volume)
        // Takes more than the player; `DesktopControls` has it done.
        case .open: break
        }
    }

    @ServerActor
    private func play(_ player: Player) {
        guard player.status.state != .pause else { return player.pause(false) }
        if !player.isPlaying { try? player.play(position: nil) }
    }
}
